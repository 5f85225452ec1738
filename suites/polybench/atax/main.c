#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 3584;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 1);
    long wrong = 0;
    cl_int status;
    const int nx = n, ny = n;
    float *a = random_values(nx * ny, 1), *x = random_values(ny, 2), *t = unset(nx), *y = unset(ny);
    struct host h = host_open("atax.cl");
    cl_mem a_memory = upload(&h, a, nx * ny), x_memory = upload(&h, x, ny), t_memory = upload(&h, t, nx), y_memory = upload(&h, y, ny);
    cl_kernel rows = clCreateKernel(h.program, "atax_rows", &status);
    require(status, "clCreateKernel");
    cl_kernel columns = clCreateKernel(h.program, "atax_columns", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(rows, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(rows, 1, sizeof(cl_mem), &x_memory);
    clSetKernelArg(rows, 2, sizeof(cl_mem), &t_memory);
    clSetKernelArg(rows, 3, sizeof(int), &nx);
    clSetKernelArg(rows, 4, sizeof(int), &ny);
    clSetKernelArg(columns, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(columns, 1, sizeof(cl_mem), &y_memory);
    clSetKernelArg(columns, 2, sizeof(cl_mem), &t_memory);
    clSetKernelArg(columns, 3, sizeof(int), &nx);
    clSetKernelArg(columns, 4, sizeof(int), &ny);
    launch_1d(&h, rows, nx, 256);
    launch_1d(&h, columns, ny, 256);
    download(&h, y_memory, y, ny);
    double *e = calloc(ny, sizeof(double));
    for (int i = 0; i < nx; i++) {
        double sum = 0;
        for (int j = 0; j < ny; j++)
            sum += (double)a[i * ny + j] * x[j];
        for (int j = 0; j < ny; j++)
            e[j] += a[i * ny + j] * sum;
    }
    for (int j = 0; j < ny; j++)
        wrong += !(fabs(e[j] - y[j]) <= 1e-4 * (n + fabs(e[j])));
    free(e);
    return report(&h, wrong);
}
