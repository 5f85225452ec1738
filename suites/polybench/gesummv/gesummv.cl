/* y = alpha A x + beta B x. */
__kernel void gesummv(__global const float *a, __global const float *b, __global const float *x, __global float *y,
                      const float alpha, const float beta, const int n)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    float left = 0.0f, right = 0.0f;
    for (int j = 0; j < n; j++) {
        left += a[i * n + j] * x[j];
        right += b[i * n + j] * x[j];
    }
    y[i] = alpha * left + beta * right;
}
