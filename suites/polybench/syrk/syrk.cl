/* C = alpha A A^T + beta C; A is n x m. */
__kernel void syrk(__global const float *a, __global float *c, const float alpha, const float beta, const int n, const int m)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
    }
}
