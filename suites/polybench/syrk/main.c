/* C = alpha A A^T + beta C; A is n x m. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference.h"

static const char *source =
    "__kernel void syrk(__global const float *a, __global float *c, const float alpha, const float beta, const int n, const int m)\n"
    "{\n"
    "    const int j = get_global_id(0);\n"
    "    const int i = get_global_id(1);\n"
    "    if (i < n && j < n) {\n"
    "        c[i * n + j] *= beta;\n"
    "        for (int k = 0; k < m; k++)\n"
    "            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];\n"
    "    }\n"
    "}\n";

static void check(cl_int err, const char *where)
{
    if (err != CL_SUCCESS) {
        fprintf(stderr, "error %d in %s\n", err, where);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    int n = 480;
    if (argc > 1)
        n = atoi(argv[1]);
    int m = n;
    if (argc > 2)
        m = atoi(argv[2]);
    if (n < 1 || m < 1 || n > 4096 || m > 4096) {
        fprintf(stderr, "usage: %s [n [m]], at most 4096\n", argv[0]);
        return 2;
    }
    float alpha = 1.5f, beta = 1.2f;
    float *a = malloc(n * m * sizeof(float)), *c = malloc(n * n * sizeof(float)), *out = malloc(n * n * sizeof(float));
    fill(a, n * m, 1);
    fill(c, n * n, 2);
    for (int i = 0; i < n * n; i++)
        out[i] = NAN;

    cl_int err;
    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    check(err, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    check(err, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "syrk", &err);
    check(err, "clCreateKernel");

    cl_mem a_memory = clCreateBuffer(context, CL_MEM_READ_ONLY, n * m * sizeof(float), NULL, &err);
    check(err, "clCreateBuffer");
    cl_mem c_memory = clCreateBuffer(context, CL_MEM_READ_WRITE, n * n * sizeof(float), NULL, &err);
    check(err, "clCreateBuffer");
    check(clEnqueueWriteBuffer(queue, a_memory, CL_TRUE, 0, n * m * sizeof(float), a, 0, NULL, NULL), "clEnqueueWriteBuffer");
    check(clEnqueueWriteBuffer(queue, c_memory, CL_TRUE, 0, n * n * sizeof(float), c, 0, NULL, NULL), "clEnqueueWriteBuffer");

    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &a_memory), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &c_memory), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(float), &alpha), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(float), &beta), "clSetKernelArg");
    check(clSetKernelArg(kernel, 4, sizeof(int), &n), "clSetKernelArg");
    check(clSetKernelArg(kernel, 5, sizeof(int), &m), "clSetKernelArg");
    size_t local[2] = {16, 16};
    size_t global[2] = {(n + 15) / 16 * 16, (n + 15) / 16 * 16};
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, c_memory, CL_TRUE, 0, n * n * sizeof(float), out, 0, NULL, NULL), "clEnqueueReadBuffer");
    cl_ulong start, end;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL), "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL), "clGetEventProfilingInfo");
    printf("kernel_ms %.4f\n", (end - start) * 1e-6);

    int wrong = wrong_elements(a, c, out, alpha, beta, n, m);
    printf("check %s\n", wrong ? "FAILED" : "OK");
    clReleaseEvent(event);
    clReleaseMemObject(a_memory);
    clReleaseMemObject(c_memory);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(c);
    free(out);
    return wrong != 0;
}
