#include "../common/host.h"

int main(int argc, char **argv)
{
    int n = 352;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 1);
    long wrong = 0;
    cl_int status;
    const int ni = n, nj = n, nk = n, nl = n;
    float alpha = 1.5f, beta = 1.2f;
    float *a = random_values(ni * nk, 1), *b = random_values(nk * nj, 2), *c = random_values(nj * nl, 3), *d = random_values(ni * nl, 4), *t = unset(ni * nj), *out = unset(ni * nl);
    struct host h = host_open("2mm.cl");
    cl_mem a_memory = upload(&h, a, ni * nk), b_memory = upload(&h, b, nk * nj), c_memory = upload(&h, c, nj * nl), d_memory = upload(&h, d, ni * nl), t_memory = upload(&h, t, ni * nj);
    cl_kernel first = clCreateKernel(h.program, "mm2_first", &status);
    require(status, "clCreateKernel");
    cl_kernel second = clCreateKernel(h.program, "mm2_second", &status);
    require(status, "clCreateKernel");
    clSetKernelArg(first, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(first, 1, sizeof(cl_mem), &b_memory);
    clSetKernelArg(first, 2, sizeof(cl_mem), &t_memory);
    clSetKernelArg(first, 3, sizeof(float), &alpha);
    clSetKernelArg(first, 4, sizeof(int), &ni);
    clSetKernelArg(first, 5, sizeof(int), &nj);
    clSetKernelArg(first, 6, sizeof(int), &nk);
    clSetKernelArg(second, 0, sizeof(cl_mem), &t_memory);
    clSetKernelArg(second, 1, sizeof(cl_mem), &c_memory);
    clSetKernelArg(second, 2, sizeof(cl_mem), &d_memory);
    clSetKernelArg(second, 3, sizeof(float), &beta);
    clSetKernelArg(second, 4, sizeof(int), &ni);
    clSetKernelArg(second, 5, sizeof(int), &nj);
    clSetKernelArg(second, 6, sizeof(int), &nl);
    launch_2d(&h, first, nj, ni);
    launch_2d(&h, second, nl, ni);
    download(&h, d_memory, out, ni * nl);
    for (int i = 0; i < ni; i++) {
        double *row = calloc(nj, sizeof(double));
        for (int j = 0; j < nj; j++)
            for (int k = 0; k < nk; k++)
                row[j] += (double)alpha * a[i * nk + k] * b[k * nj + j];
        for (int l = 0; l < nl; l++) {
            double e = beta * d[i * nl + l];
            for (int j = 0; j < nj; j++)
                e += row[j] * c[j * nl + l];
            wrong += !(fabs(e - out[i * nl + l]) <= 1e-4 * (n + fabs(e)));
        }
        free(row);
    }
    return report(&h, wrong);
}
