#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 3584;
    if (argc > 1)
        n = atoi(argv[1]);
    long wrong = 0;
    cl_int status;
    const int nx = n, ny = n;
    float *a = random_values(nx * ny, 1), *r = random_values(nx, 2), *p = random_values(ny, 3), *s = unset(ny), *q = unset(nx);
    struct host h = host_open("bicg.cl");
    cl_mem a_memory = upload(&h, a, nx * ny), r_memory = upload(&h, r, nx), p_memory = upload(&h, p, ny), s_memory = upload(&h, s, ny), q_memory = upload(&h, q, nx);
    cl_kernel columns = clCreateKernel(h.program, "bicg_columns", &status);
    require(status, "clCreateKernel");
    cl_kernel rows = clCreateKernel(h.program, "bicg_rows", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(columns, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(columns, 1, sizeof(cl_mem), &r_memory);
    clSetKernelArg(columns, 2, sizeof(cl_mem), &s_memory);
    clSetKernelArg(columns, 3, sizeof(int), &nx);
    clSetKernelArg(columns, 4, sizeof(int), &ny);
    clSetKernelArg(rows, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(rows, 1, sizeof(cl_mem), &p_memory);
    clSetKernelArg(rows, 2, sizeof(cl_mem), &q_memory);
    clSetKernelArg(rows, 3, sizeof(int), &nx);
    clSetKernelArg(rows, 4, sizeof(int), &ny);
    launch_1d(&h, columns, ny, 256);
    launch_1d(&h, rows, nx, 256);
    download(&h, s_memory, s, ny);
    download(&h, q_memory, q, nx);
    for (int j = 0; j < ny; j++) {
        double e = 0;
        for (int i = 0; i < nx; i++)
            e += (double)a[i * ny + j] * r[i];
        wrong += !(fabs(e - s[j]) <= 1e-5 * (n + fabs(e)));
    }
    for (int i = 0; i < nx; i++) {
        double e = 0;
        for (int j = 0; j < ny; j++)
            e += (double)a[i * ny + j] * p[j];
        wrong += !(fabs(e - q[i]) <= 1e-5 * (n + fabs(e)));
    }
    return report(&h, wrong);
}
