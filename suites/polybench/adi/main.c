/* adi [size [steps]] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid.h"

#define CHECK(status, what)                                             \
    do {                                                                \
        if ((status) != CL_SUCCESS) {                                   \
            fprintf(stderr, "%s: OpenCL error %d\n", what, (status));   \
            exit(2);                                                    \
        }                                                               \
    } while (0)

enum { SWEEPS = 6, GROUP = 32 };

int main(int argc, char **argv)
{
    static const char *names[SWEEPS] = {"adi_rows_forward",    "adi_rows_last",    "adi_rows_backward",
                                        "adi_columns_forward", "adi_columns_last", "adi_columns_backward"};
    int n = 960, steps = 2;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        steps = atoi(argv[2]);
    if (n < 4 || n > 8192 || steps < 1 || steps > 4) {
        fprintf(stderr, "usage: %s [size [steps, at most 4]]\n", argv[0]);
        return 2;
    }
    const size_t bytes = (size_t)n * n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *x = malloc(bytes), *b_out = malloc(bytes), *x_out = malloc(bytes);
    if (!a || !b || !x || !b_out || !x_out)
        return 2;
    grid_fill(a, b, x, n);
    for (int i = 0; i < n * n; i++)
        b_out[i] = x_out[i] = NAN;

    FILE *file = fopen("adi.cl", "rb");
    if (!file) {
        perror("adi.cl");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size_t length = ftell(file);
    rewind(file);
    char *source = malloc(length + 1);
    length = fread(source, 1, length, file);
    source[length] = '\0';
    fclose(file);

    cl_int status;
    cl_platform_id platform;
    cl_device_id device;
    CHECK(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    CHECK(status, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, &length, &status);
    CHECK(status, "clCreateProgramWithSource");
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");

    cl_mem a_mem = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &status);
    CHECK(status, "clCreateBuffer a");
    cl_mem b_mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, b, &status);
    CHECK(status, "clCreateBuffer b");
    cl_mem x_mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, x, &status);
    CHECK(status, "clCreateBuffer x");

    cl_kernel kernels[SWEEPS];
    for (int s = 0; s < SWEEPS; s++) {
        kernels[s] = clCreateKernel(program, names[s], &status);
        CHECK(status, names[s]);
        cl_uint argument = 0;
        if (s % 3 != 1) /* the last element of a line needs no coefficient */
            CHECK(clSetKernelArg(kernels[s], argument++, sizeof(cl_mem), &a_mem), "clSetKernelArg");
        CHECK(clSetKernelArg(kernels[s], argument++, sizeof(cl_mem), &b_mem), "clSetKernelArg");
        CHECK(clSetKernelArg(kernels[s], argument++, sizeof(cl_mem), &x_mem), "clSetKernelArg");
        CHECK(clSetKernelArg(kernels[s], argument++, sizeof(int), &n), "clSetKernelArg");
    }

    size_t local = GROUP, global = (n + GROUP - 1) / GROUP * GROUP;
    double kernel_ms = 0;
    for (int t = 0; t < steps; t++) {
        cl_event events[SWEEPS];
        for (int s = 0; s < SWEEPS; s++)
            CHECK(clEnqueueNDRangeKernel(queue, kernels[s], 1, NULL, &global, &local, 0, NULL, &events[s]), names[s]);
        CHECK(clFinish(queue), "clFinish");
        for (int s = 0; s < SWEEPS; s++) {
            cl_ulong begin, end;
            CHECK(clGetEventProfilingInfo(events[s], CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL), "profile");
            CHECK(clGetEventProfilingInfo(events[s], CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL), "profile");
            kernel_ms += (end - begin) / 1e6;
            clReleaseEvent(events[s]);
        }
    }
    CHECK(clEnqueueReadBuffer(queue, b_mem, CL_TRUE, 0, bytes, b_out, 0, NULL, NULL), "clEnqueueReadBuffer");
    CHECK(clEnqueueReadBuffer(queue, x_mem, CL_TRUE, 0, bytes, x_out, 0, NULL, NULL), "clEnqueueReadBuffer");

    long wrong = grid_wrong(a, b, x, b_out, x_out, n, steps);
    printf("kernel_ms %.4f\n", kernel_ms);
    printf("check %s\n", wrong ? "FAILED" : "OK");

    for (int s = 0; s < SWEEPS; s++)
        clReleaseKernel(kernels[s]);
    clReleaseMemObject(a_mem);
    clReleaseMemObject(b_mem);
    clReleaseMemObject(x_mem);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(x);
    free(b_out);
    free(x_out);
    free(source);
    return wrong ? 1 : 0;
}
