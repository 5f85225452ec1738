#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 3584;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 1);
    long wrong = 0;
    cl_int status;
    float *a = random_values(n * n, 1), *x1 = random_values(n, 2), *x2 = random_values(n, 3), *y1 = random_values(n, 4), *y2 = random_values(n, 5), *out1 = unset(n), *out2 = unset(n);
    struct host h = host_open("mvt.cl");
    cl_mem a_memory = upload(&h, a, n * n), x1_memory = upload(&h, x1, n), x2_memory = upload(&h, x2, n), y1_memory = upload(&h, y1, n), y2_memory = upload(&h, y2, n);
    cl_kernel rows = clCreateKernel(h.program, "mvt_rows", &status);
    require(status, "clCreateKernel");
    cl_kernel columns = clCreateKernel(h.program, "mvt_columns", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(rows, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(rows, 1, sizeof(cl_mem), &x1_memory);
    clSetKernelArg(rows, 2, sizeof(cl_mem), &y1_memory);
    clSetKernelArg(rows, 3, sizeof(int), &n);
    clSetKernelArg(columns, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(columns, 1, sizeof(cl_mem), &x2_memory);
    clSetKernelArg(columns, 2, sizeof(cl_mem), &y2_memory);
    clSetKernelArg(columns, 3, sizeof(int), &n);
    launch_1d(&h, rows, n, 256);
    launch_1d(&h, columns, n, 256);
    download(&h, x1_memory, out1, n);
    download(&h, x2_memory, out2, n);
    for (int i = 0; i < n; i++) {
        double e1 = x1[i], e2 = x2[i];
        for (int j = 0; j < n; j++) {
            e1 += (double)a[i * n + j] * y1[j];
            e2 += (double)a[j * n + i] * y2[j];
        }
        wrong += !(fabs(e1 - out1[i]) <= 1e-5 * (n + fabs(e1)));
        wrong += !(fabs(e2 - out2[i]) <= 1e-5 * (n + fabs(e2)));
    }
    return report(&h, wrong);
}
