/* C = alpha (A B^T + B A^T) + beta C. N rows, M columns and REAL are given by the host as -D options. */
__kernel void syr2k(__global const REAL *a, __global const REAL *b, __global REAL *c, const REAL alpha, const REAL beta)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);

    if (i < N && j < N) {
        c[i * N + j] *= beta;
        for (int k = 0; k < M; k++)
            c[i * N + j] += alpha * a[i * M + k] * b[j * M + k] + alpha * b[i * M + k] * a[j * M + k];
    }
}
