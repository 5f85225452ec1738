// out = left * right; left is rows x inner, right is inner x columns.
__kernel void mm3_multiply(__global const float *left, __global const float *right, __global float *out,
                           int rows, int columns, int inner)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (row >= rows || column >= columns)
        return;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++)
        sum += left[row * inner + k] * right[k * columns + column];
    out[row * columns + column] = sum;
}
