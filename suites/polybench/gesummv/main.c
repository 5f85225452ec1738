#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 4096;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 1);
    long wrong = 0;
    cl_int status;
    const int rounds = 6;
    float alpha = 1.5f, beta = 1.2f;
    float *a = random_values(n * n, 1), *b = random_values(n * n, 2), *x = random_values(n, 3), *y = unset(n);
    struct host h = host_open("gesummv.cl");
    cl_mem a_memory = upload(&h, a, n * n), b_memory = upload(&h, b, n * n), x_memory = upload(&h, x, n), y_memory = upload(&h, y, n);
    cl_kernel gesummv = clCreateKernel(h.program, "gesummv", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(gesummv, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(gesummv, 1, sizeof(cl_mem), &b_memory);
    clSetKernelArg(gesummv, 2, sizeof(cl_mem), &x_memory);
    clSetKernelArg(gesummv, 3, sizeof(cl_mem), &y_memory);
    clSetKernelArg(gesummv, 4, sizeof(float), &alpha);
    clSetKernelArg(gesummv, 5, sizeof(float), &beta);
    clSetKernelArg(gesummv, 6, sizeof(int), &n);
    for (int t = 0; t < rounds; t++)
        launch_1d(&h, gesummv, n, 256);
    download(&h, y_memory, y, n);
    for (int i = 0; i < n; i++) {
        double e = 0;
        for (int j = 0; j < n; j++)
            e += ((double)alpha * a[i * n + j] + (double)beta * b[i * n + j]) * x[j];
        wrong += !(fabs(e - y[i]) <= 1e-5 * (n + fabs(e)));
    }
    return report(&h, wrong);
}
