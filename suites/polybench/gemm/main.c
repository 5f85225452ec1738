#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 480;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 1);
    long wrong = 0;
    cl_int status;
    const int ni = n, nj = n, nk = n;
    float alpha = 1.5f, beta = 1.2f;
    float *a = random_values(ni * nk, 1), *b = random_values(nk * nj, 2), *c = random_values(ni * nj, 3), *out = unset(ni * nj);
    struct host h = host_open("gemm.cl");
    cl_mem a_memory = upload(&h, a, ni * nk), b_memory = upload(&h, b, nk * nj), c_memory = upload(&h, c, ni * nj);
    cl_kernel gemm = clCreateKernel(h.program, "gemm", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(gemm, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(gemm, 1, sizeof(cl_mem), &b_memory);
    clSetKernelArg(gemm, 2, sizeof(cl_mem), &c_memory);
    clSetKernelArg(gemm, 3, sizeof(float), &alpha);
    clSetKernelArg(gemm, 4, sizeof(float), &beta);
    clSetKernelArg(gemm, 5, sizeof(int), &ni);
    clSetKernelArg(gemm, 6, sizeof(int), &nj);
    clSetKernelArg(gemm, 7, sizeof(int), &nk);
    launch_2d(&h, gemm, nj, ni);
    download(&h, c_memory, out, ni * nj);
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double e = beta * c[i * nj + j];
            for (int k = 0; k < nk; k++)
                e += (double)alpha * a[i * nk + k] * b[k * nj + j];
            wrong += !(fabs(e - out[i * nj + j]) <= 1e-5 * (n + fabs(e)));
        }
    return report(&h, wrong);
}
