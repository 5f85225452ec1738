// C = A B, rows x inner times inner x columns. A work-group computes a TILE x TILE block of C and walks along A's rows and
// B's columns a tile at a time; what sticks out of the matrices counts as zero.
__kernel void matrix_multiply(__global const float *a, __global const float *b, __global float *c, const int rows,
                              const int columns, const int inner)
{
    __local float a_tile[TILE][TILE];
    __local float b_tile[TILE][TILE];

    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_group_id(0) * TILE + x;
    const int row = get_group_id(1) * TILE + y;

    float sum = 0.0f;
    for (int start = 0; start < inner; start += TILE) {
        a_tile[y][x] = (row < rows && start + x < inner) ? a[row * inner + start + x] : 0.0f;
        b_tile[y][x] = (start + y < inner && column < columns) ? b[(start + y) * columns + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}
