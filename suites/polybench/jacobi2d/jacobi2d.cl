/* Five points, averaged; then copied back. */
__kernel void jacobi_step(__global const float *a, __global float *b, const int n)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + (j - 1)] + a[i * n + (j + 1)] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
}

__kernel void jacobi_copy(__global float *a, __global const float *b, const int n)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        a[i * n + j] = b[i * n + j];
}
