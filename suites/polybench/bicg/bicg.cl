/* s = A^T r and q = A p; A is nx x ny. */
__kernel void bicg_columns(__global const float *a, __global const float *r, __global float *s, const int nx, const int ny)
{
    const int j = get_global_id(0);
    if (j < ny) {
        s[j] = 0.0f;
        for (int i = 0; i < nx; i++)
            s[j] += a[i * ny + j] * r[i];
    }
}

__kernel void bicg_rows(__global const float *a, __global const float *p, __global float *q, const int nx, const int ny)
{
    const int i = get_global_id(0);
    if (i < nx) {
        q[i] = 0.0f;
        for (int j = 0; j < ny; j++)
            q[i] += a[i * ny + j] * p[j];
    }
}
