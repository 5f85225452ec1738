/* Sizes that a condition decides. At the first values of the inputs one way is taken; what is said holds for all. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void fill(__global float *a, int n) { int i = get_global_id(0); if (i < n) a[i] = i; }";

static size_t padded(size_t items, size_t group)
{
    size_t groups = items / group;
    if (items % group != 0)
        ++groups;
    return groups * group;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    cl_context context = clCreateContext(NULL, 1, NULL, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, NULL, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "fill", NULL);
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &a);
    clSetKernelArg(kernel, 1, sizeof(int), &n);
    size_t local = 64;
    size_t global = padded(n, local);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);

    size_t tail = n % 64 ? n / 64 * 64 + 64 : n;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &tail, &local, 0, NULL, NULL);

    size_t most = n;
    if (n > 1024 && n % 3 == 0)
        most = 1024;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &most, NULL, 0, NULL, NULL);
    return 0;
}
