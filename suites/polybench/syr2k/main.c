#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

#define MAX_SOURCE 10000

int main(int argc, char *argv[])
{
    int n = 448, m = 448, i, errors = 0;
    float alpha = 1.1f, beta = 0.9f;
    float *a, *b, *c, *result;
    char options[100], source[MAX_SOURCE];
    const char *source_pointer = source;
    size_t source_length, global[2], local[2] = {32, 8};
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem a_mem, b_mem, c_mem;
    cl_event event;
    cl_ulong started, ended;
    cl_int err;
    FILE *fp;

    if (argc > 1)
        n = m = atoi(argv[1]);
    if (argc > 2)
        m = atoi(argv[2]);
    if (n < 1 || m < 1 || n > 4096 || m > 4096) {
        fprintf(stderr, "usage: syr2k [n [m]]\n");
        exit(2);
    }

    /* data */
    a = (float *)malloc(n * m * sizeof(float));
    b = (float *)malloc(n * m * sizeof(float));
    c = (float *)malloc(n * n * sizeof(float));
    result = (float *)malloc(n * n * sizeof(float));
    srand(2024);
    for (i = 0; i < n * m; i++) {
        a[i] = (float)rand() / RAND_MAX - 0.5f;
        b[i] = (float)rand() / RAND_MAX - 0.25f;
    }
    for (i = 0; i < n * n; i++)
        c[i] = 10.0f * rand() / RAND_MAX;
    memset(result, 0xff, n * n * sizeof(float)); /* not a number */

    /* kernel source */
    fp = fopen("syr2k.cl", "r");
    if (!fp) {
        fprintf(stderr, "Failed to load kernel.\n");
        exit(2);
    }
    source_length = fread(source, 1, MAX_SOURCE, fp);
    fclose(fp);

    /* device */
    err = clGetPlatformIDs(1, &platform, NULL);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clGetPlatformIDs: %d\n", err);
        exit(2);
    }
    err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clGetDeviceIDs: %d\n", err);
        exit(2);
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    if (!context || !queue) {
        fprintf(stderr, "no context or queue: %d\n", err);
        exit(2);
    }

    /* memory */
    a_mem = clCreateBuffer(context, CL_MEM_READ_ONLY, n * m * sizeof(float), NULL, &err);
    b_mem = clCreateBuffer(context, CL_MEM_READ_ONLY, n * m * sizeof(float), NULL, &err);
    c_mem = clCreateBuffer(context, CL_MEM_READ_WRITE, n * n * sizeof(float), NULL, &err);
    if (!a_mem || !b_mem || !c_mem) {
        fprintf(stderr, "clCreateBuffer: %d\n", err);
        exit(2);
    }
    err = clEnqueueWriteBuffer(queue, a_mem, CL_TRUE, 0, n * m * sizeof(float), a, 0, NULL, NULL);
    err |= clEnqueueWriteBuffer(queue, b_mem, CL_TRUE, 0, n * m * sizeof(float), b, 0, NULL, NULL);
    err |= clEnqueueWriteBuffer(queue, c_mem, CL_TRUE, 0, n * n * sizeof(float), c, 0, NULL, NULL);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clEnqueueWriteBuffer: %d\n", err);
        exit(2);
    }

    /* program */
    sprintf(options, "-DN=%d -DM=%d -DREAL=float", n, m);
    program = clCreateProgramWithSource(context, 1, &source_pointer, &source_length, &err);
    err = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clBuildProgram: %d\n", err);
        exit(2);
    }
    kernel = clCreateKernel(program, "syr2k", &err);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clCreateKernel: %d\n", err);
        exit(2);
    }

    /* run */
    global[0] = (n + local[0] - 1) / local[0] * local[0];
    global[1] = (n + local[1] - 1) / local[1] * local[1];
    err = clSetKernelArg(kernel, 0, sizeof(cl_mem), (void *)&a_mem);
    err |= clSetKernelArg(kernel, 1, sizeof(cl_mem), (void *)&b_mem);
    err |= clSetKernelArg(kernel, 2, sizeof(cl_mem), (void *)&c_mem);
    err |= clSetKernelArg(kernel, 3, sizeof(float), (void *)&alpha);
    err |= clSetKernelArg(kernel, 4, sizeof(float), (void *)&beta);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clSetKernelArg: %d\n", err);
        exit(2);
    }
    err = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clEnqueueNDRangeKernel: %d\n", err);
        exit(2);
    }
    clFinish(queue);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(started), &started, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(ended), &ended, NULL);
    printf("kernel_ms %f\n", (double)(ended - started) / 1000000.0);

    /* result */
    err = clEnqueueReadBuffer(queue, c_mem, CL_TRUE, 0, n * n * sizeof(float), result, 0, NULL, NULL);
    if (err != CL_SUCCESS) {
        fprintf(stderr, "clEnqueueReadBuffer: %d\n", err);
        exit(2);
    }
    for (i = 0; i < n; i++)
        errors += wrong_row(a, b, c, result, alpha, beta, n, m, i);
    if (errors)
        printf("check FAILED\n");
    else
        printf("check OK\n");

    clReleaseEvent(event);
    clReleaseMemObject(a_mem);
    clReleaseMemObject(b_mem);
    clReleaseMemObject(c_mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(c);
    free(result);
    return errors ? 1 : 0;
}
