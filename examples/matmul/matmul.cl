/* C = A * B for row-major matrices: A is rows x inner, B is inner x columns. One work-item makes one element of C. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c,
                     const int rows, const int columns, const int inner)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    if (row < rows && column < columns) {
        float sum = 0.0f;
        for (int k = 0; k < inner; k++)
            sum += a[row * inner + k] * b[k * columns + column];
        c[row * columns + column] = sum;
    }
}
