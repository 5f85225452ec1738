#if VX == 16
#define LANES float16
#define LOAD_LANES vload16
#define STORE_LANES vstore16
#else
#define LANES float8
#define LOAD_LANES vload8
#define STORE_LANES vstore8
#endif

__kernel void blur(__global const float *input, __constant float *weights, __global float *output,
                   const int width, const int height)
{
    const int x = get_global_id(0) * VX;
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    if (x >= 2 && y >= 2 && x + VX <= width - 2 && y < height - 2) {
        LANES sum = 0.0f;
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++)
                sum += weights[(dy + 2) * 5 + dx + 2] * LOAD_LANES(0, input + (y + dy) * width + x + dx);
        STORE_LANES(sum, 0, output + y * width + x);
        return;
    }

    for (int i = x; i < min(x + VX, width); i++) {
        if (i < 2 || y < 2 || i >= width - 2 || y >= height - 2) {
            output[y * width + i] = input[y * width + i];
            continue;
        }
        float sum = 0.0f;
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++)
                sum += weights[(dy + 2) * 5 + dx + 2] * input[(y + dy) * width + i + dx];
        output[y * width + i] = sum;
    }
}
