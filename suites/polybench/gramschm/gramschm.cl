/* Column k: its length, the unit vector, and what is taken from the columns after it. A is ni x nj. */
__kernel void gram_norm(__global const float *a, __global float *r, const int k, const int ni, const int nj)
{
    const int i = get_global_id(0);
    if (i == 0) {
        float sum = 0.0f;
        for (int m = 0; m < ni; m++)
            sum += a[m * nj + k] * a[m * nj + k];
        r[k * nj + k] = sqrt(sum);
    }
}

__kernel void gram_unit(__global const float *a, __global const float *r, __global float *q, const int k, const int ni, const int nj)
{
    const int i = get_global_id(0);
    if (i < ni)
        q[i * nj + k] = a[i * nj + k] / r[k * nj + k];
}

__kernel void gram_subtract(__global float *a, __global float *r, __global const float *q, const int k, const int ni, const int nj)
{
    const int j = get_global_id(0);
    if (j > k && j < nj) {
        float sum = 0.0f;
        for (int m = 0; m < ni; m++)
            sum += q[m * nj + k] * a[m * nj + j];
        r[k * nj + j] = sum;
        for (int m = 0; m < ni; m++)
            a[m * nj + j] -= q[m * nj + k] * sum;
    }
}
