/* Fields of nx x ny cells. Row 0 of ey is driven by the source, one value per time step. */
__kernel void fdtd_ey(__global const float *source, __global float *ey, __global const float *hz, int t, int nx, int ny)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < nx && j < ny) {
        if (i == 0)
            ey[CELL(0, j)] = source[t];
        else
            ey[CELL(i, j)] -= E_FACTOR * (hz[CELL(i, j)] - hz[CELL(i - 1, j)]);
    }
}

__kernel void fdtd_ex(__global float *ex, __global const float *hz, int nx, int ny)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < nx && j > 0 && j < ny)
        ex[CELL(i, j)] -= E_FACTOR * (hz[CELL(i, j)] - hz[CELL(i, j - 1)]);
}

__kernel void fdtd_hz(__global const float *ex, __global const float *ey, __global float *hz, int nx, int ny)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i < nx - 1 && j < ny - 1)
        hz[CELL(i, j)] -= H_FACTOR * (ex[CELL(i, j + 1)] - ex[CELL(i, j)] + ey[CELL(i + 1, j)] - ey[CELL(i, j)]);
}
