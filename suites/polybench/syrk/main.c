#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 480;
    if (argc > 1)
        n = atoi(argv[1]);
    long wrong = 0;
    cl_int status;
    const int m = n;
    float alpha = 1.5f, beta = 1.2f;
    float *a = random_values(n * m, 1), *c = random_values(n * n, 2), *out = unset(n * n);
    struct host h = host_open("syrk.cl");
    cl_mem a_memory = upload(&h, a, n * m), c_memory = upload(&h, c, n * n);
    cl_kernel syrk = clCreateKernel(h.program, "syrk", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(syrk, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(syrk, 1, sizeof(cl_mem), &c_memory);
    clSetKernelArg(syrk, 2, sizeof(float), &alpha);
    clSetKernelArg(syrk, 3, sizeof(float), &beta);
    clSetKernelArg(syrk, 4, sizeof(int), &n);
    clSetKernelArg(syrk, 5, sizeof(int), &m);
    launch_2d(&h, syrk, n, n);
    download(&h, c_memory, out, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double e = beta * c[i * n + j];
            for (int k = 0; k < m; k++)
                e += (double)alpha * a[i * m + k] * a[j * m + k];
            wrong += !(fabs(e - out[i * n + j]) <= 1e-5 * (n + fabs(e)));
        }
    return report(&h, wrong);
}
