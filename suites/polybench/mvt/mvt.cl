/* x1 += A y1 and x2 += A^T y2. */
__kernel void mvt_rows(__global const float *a, __global float *x1, __global const float *y1, const int n)
{
    const int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x1[i] += a[i * n + j] * y1[j];
}

__kernel void mvt_columns(__global const float *a, __global float *x2, __global const float *y2, const int n)
{
    const int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < n; j++)
            x2[i] += a[j * n + i] * y2[j];
}
