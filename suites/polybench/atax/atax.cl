/* t = A x, then y = A^T t; A is nx x ny. */
__kernel void atax_rows(__global const float *a, __global const float *x, __global float *t, const int nx, const int ny)
{
    const int i = get_global_id(0);
    if (i < nx) {
        t[i] = 0.0f;
        for (int j = 0; j < ny; j++)
            t[i] += a[i * ny + j] * x[j];
    }
}

__kernel void atax_columns(__global const float *a, __global float *y, __global const float *t, const int nx, const int ny)
{
    const int j = get_global_id(0);
    if (j < ny) {
        y[j] = 0.0f;
        for (int i = 0; i < nx; i++)
            y[j] += a[i * ny + j] * t[i];
    }
}
