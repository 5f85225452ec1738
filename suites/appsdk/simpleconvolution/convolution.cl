/* Each work-item computes one pixel: the sum of the mask's weights times the pixels under it. Pixels outside do not count. */
__kernel void simple_convolution(__global float *output, __global const float *input, __constant float *mask,
                                 const uint2 input_size, const uint2 mask_size)
{
    const uint x = get_global_id(0);
    const uint y = get_global_id(1);
    const uint width = input_size.x;
    const uint height = input_size.y;
    const uint half_width = (mask_size.x - 1) / 2;
    const uint half_height = (mask_size.y - 1) / 2;

    if (x >= width || y >= height)
        return;

    /* the part of the mask that lies on the image */
    const uint left = x < half_width ? 0 : x - half_width;
    const uint right = x + half_width >= width ? width - 1 : x + half_width;
    const uint top = y < half_height ? 0 : y - half_height;
    const uint bottom = y + half_height >= height ? height - 1 : y + half_height;

    float sum = 0.0f;
    for (uint row = top; row <= bottom; row++)
        for (uint column = left; column <= right; column++) {
            const uint mask_index = (row + half_height - y) * mask_size.x + (column + half_width - x);
            sum += input[row * width + column] * mask[mask_index];
        }
    output[y * width + x] = sum;
}
