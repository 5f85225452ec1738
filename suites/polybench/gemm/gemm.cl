/* C = alpha A B + beta C; A is ni x nk, B is nk x nj. */
__kernel void gemm(__global const float *a, __global const float *b, __global float *c,
                   const float alpha, const float beta, const int ni, const int nj, const int nk)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}
