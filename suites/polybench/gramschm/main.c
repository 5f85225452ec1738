#include "../common/host.h"
#include "factors.h"

int main(int argc, char **argv)
{
    int n = 512;
    if (argc > 1)
        n = atoi(argv[1]);
    require_size(n, 2);
    long wrong;
    cl_int status;
    const int ni = n, nj = n / 2;
    float *a = random_values(ni * nj, 1), *r = unset(nj * nj), *q = unset(ni * nj);
    struct host h = host_open("gramschm.cl");
    cl_mem a_memory = upload(&h, a, ni * nj), r_memory = upload(&h, r, nj * nj), q_memory = upload(&h, q, ni * nj);
    cl_kernel norm = clCreateKernel(h.program, "gram_norm", &status);
    require(status, "clCreateKernel");
    cl_kernel unit = clCreateKernel(h.program, "gram_unit", &status);
    require(status, "clCreateKernel");
    cl_kernel subtract = clCreateKernel(h.program, "gram_subtract", &status);
    require(status, "clCreateKernel");
    for (int k = 0; k < nj; k++) {
        clSetKernelArg(norm, 0, sizeof(cl_mem), &a_memory);
        clSetKernelArg(norm, 1, sizeof(cl_mem), &r_memory);
        clSetKernelArg(norm, 2, sizeof(int), &k);
        clSetKernelArg(norm, 3, sizeof(int), &ni);
        clSetKernelArg(norm, 4, sizeof(int), &nj);
        launch_1d(&h, norm, 1, 1);
        clSetKernelArg(unit, 0, sizeof(cl_mem), &a_memory);
        clSetKernelArg(unit, 1, sizeof(cl_mem), &r_memory);
        clSetKernelArg(unit, 2, sizeof(cl_mem), &q_memory);
        clSetKernelArg(unit, 3, sizeof(int), &k);
        clSetKernelArg(unit, 4, sizeof(int), &ni);
        clSetKernelArg(unit, 5, sizeof(int), &nj);
        launch_1d(&h, unit, ni, 64);
        clSetKernelArg(subtract, 0, sizeof(cl_mem), &a_memory);
        clSetKernelArg(subtract, 1, sizeof(cl_mem), &r_memory);
        clSetKernelArg(subtract, 2, sizeof(cl_mem), &q_memory);
        clSetKernelArg(subtract, 3, sizeof(int), &k);
        clSetKernelArg(subtract, 4, sizeof(int), &ni);
        clSetKernelArg(subtract, 5, sizeof(int), &nj);
        launch_1d(&h, subtract, nj, 64);
    }
    download(&h, q_memory, q, ni * nj);
    download(&h, r_memory, r, nj * nj);
    wrong = wrong_factors(a, q, r, ni, nj);
    return report(&h, wrong);
}
