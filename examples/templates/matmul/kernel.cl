/* C = A * B for row-major matrices: A is rows x inner, B is inner x columns. One work-item makes TI rows of 16 columns. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c,
                     const int rows, const int columns, const int inner)
{
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1) * TI;

    if (row + TI <= rows && column + 16 <= columns) {
        float16 sum[TI];
        for (int i = 0; i < TI; i++)
            sum[i] = 0.0f;
        for (int k = 0; k < inner; k++) {
            const float16 line = vload16(0, b + k * columns + column);
            for (int i = 0; i < TI; i++)
                sum[i] += a[(row + i) * inner + k] * line;
        }
        for (int i = 0; i < TI; i++)
            vstore16(sum[i], 0, c + (row + i) * columns + column);
        return;
    }

    /* The edges, element by element. */
    for (int i = row; i < min(row + TI, rows); i++)
        for (int j = column; j < min(column + 16, columns); j++) {
            float sum = 0.0f;
            for (int k = 0; k < inner; k++)
                sum += a[i * inner + k] * b[k * columns + j];
            c[i * columns + j] = sum;
        }
}
