/* T = alpha A B, then D = T C + beta D. */
__kernel void mm2_first(__global const float *a, __global const float *b, __global float *t,
                        const float alpha, const int ni, const int nj, const int nk)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < ni && j < nj) {
        float sum = 0.0f;
        for (int k = 0; k < nk; k++)
            sum += alpha * a[i * nk + k] * b[k * nj + j];
        t[i * nj + j] = sum;
    }
}

__kernel void mm2_second(__global const float *t, __global const float *c, __global float *d,
                         const float beta, const int ni, const int nj, const int nl)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < ni && j < nl) {
        d[i * nl + j] *= beta;
        for (int k = 0; k < nj; k++)
            d[i * nl + j] += t[i * nj + k] * c[k * nl + j];
    }
}
