#include "ocl.h"

#include <stdio.h>
#include <stdlib.h>

void ocl_check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, status);
        exit(2);
    }
}

void ocl_open(struct ocl *ocl)
{
    cl_platform_id platform;
    cl_int status;
    ocl_check(clGetPlatformIDs(1, &platform, NULL), "platforms");
    ocl_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &ocl->device, NULL), "devices");
    ocl->context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &status);
    ocl_check(status, "context");
    ocl->queue = clCreateCommandQueue(ocl->context, ocl->device, CL_QUEUE_PROFILING_ENABLE, &status);
    ocl_check(status, "queue");
}

void ocl_close(struct ocl *ocl)
{
    clReleaseCommandQueue(ocl->queue);
    clReleaseContext(ocl->context);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;
    char *text;
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = malloc(size + 1);
    if (!text || fread(text, 1, size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

cl_program ocl_build(struct ocl *ocl, const char *path, const char *options)
{
    cl_int status;
    char *text = read_text(path);
    cl_program program = clCreateProgramWithSource(ocl->context, 1, (const char **)&text, NULL, &status);
    ocl_check(status, "program");
    free(text);
    status = clBuildProgram(program, 1, &ocl->device, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[1 << 14];
        clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(2);
    }
    return program;
}

cl_mem ocl_buffer(struct ocl *ocl, size_t bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(ocl->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    ocl_check(status, "buffer");
    return buffer;
}

void ocl_write(struct ocl *ocl, cl_mem buffer, const void *data, size_t bytes)
{
    ocl_check(clEnqueueWriteBuffer(ocl->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "write");
}

void ocl_read(struct ocl *ocl, cl_mem buffer, void *data, size_t bytes)
{
    ocl_check(clEnqueueReadBuffer(ocl->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "read");
}

void ocl_poison(struct ocl *ocl, cl_mem buffer, size_t bytes)
{
    const cl_uint not_a_number = 0x7fc00bad;
    ocl_check(clEnqueueFillBuffer(ocl->queue, buffer, &not_a_number, sizeof not_a_number, 0, bytes, 0, NULL, NULL), "fill");
}

void ocl_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    ocl_check(clSetKernelArg(kernel, index, bytes, value), "argument");
}

double ocl_run_1d(struct ocl *ocl, cl_kernel kernel, size_t global, size_t local)
{
    cl_event event;
    cl_ulong start, end;
    ocl_check(clEnqueueNDRangeKernel(ocl->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event), "launch");
    ocl_check(clWaitForEvents(1, &event), "wait");
    ocl_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "profile");
    ocl_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "profile");
    clReleaseEvent(event);
    return (double)(end - start) / 1e6;
}
