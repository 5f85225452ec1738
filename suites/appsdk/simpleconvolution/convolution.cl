/* Each work-item computes one pixel: the sum of the mask's weights times the pixels under it. Pixels outside do not count. */
__kernel void simple_convolution(__global float *output, __global const float *input, __constant float *mask,
                                 const int2 input_size, const int2 mask_size)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int width = input_size.x;
    const int height = input_size.y;
    const int half_width = (mask_size.x - 1) / 2;
    const int half_height = (mask_size.y - 1) / 2;

    if (x >= width || y >= height)
        return;

    /* the part of the mask that lies on the image */
    const int left = max(x - half_width, 0);
    const int right = min(x + half_width, width - 1);
    const int top = max(y - half_height, 0);
    const int bottom = min(y + half_height, height - 1);

    float sum = 0.0f;
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++) {
            const int mask_index = (row + half_height - y) * mask_size.x + (column + half_width - x);
            sum += input[row * width + column] * mask[mask_index];
        }
    output[y * width + x] = sum;
}
