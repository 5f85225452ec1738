#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 1280;
    if (argc > 1)
        n = atoi(argv[1]);
    long wrong = 0;
    cl_int status;
    const int steps = 20;
    float *a = random_values(n * n, 1), *b = random_values(n * n, 2), *out = unset(n * n);
    struct host h = host_open("jacobi2d.cl");
    cl_mem a_memory = upload(&h, a, n * n), b_memory = upload(&h, b, n * n);
    cl_kernel step = clCreateKernel(h.program, "jacobi_step", &status);
    require(status, "clCreateKernel");
    cl_kernel copy = clCreateKernel(h.program, "jacobi_copy", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(step, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(step, 1, sizeof(cl_mem), &b_memory);
    clSetKernelArg(step, 2, sizeof(int), &n);
    clSetKernelArg(copy, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(copy, 1, sizeof(cl_mem), &b_memory);
    clSetKernelArg(copy, 2, sizeof(int), &n);
    for (int t = 0; t < steps; t++) {
        launch_2d(&h, step, n, n);
        launch_2d(&h, copy, n, n);
    }
    download(&h, a_memory, out, n * n);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = b[i * n + j];
    }
    for (int i = 0; i < n * n; i++)
        wrong += !(fabsf(a[i] - out[i]) <= 1e-4f);
    return report(&h, wrong);
}
