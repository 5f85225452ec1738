#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(status, what)                                    \
    do {                                                         \
        if ((status) != CL_SUCCESS) {                            \
            fprintf(stderr, "lj: %s failed: %d\n", what, status); \
            exit(2);                                             \
        }                                                        \
    } while (0)

static cl_program build(cl_context context, cl_device_id device)
{
    char text[8192], log[8192] = "";
    const char *source = text;
    cl_int status;
    FILE *file = fopen("lj.cl", "r");
    if (!file) {
        perror("lj.cl");
        exit(2);
    }
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    cl_program program = clCreateProgramWithSource(context, 1, &source, &length, &status);
    REQUIRE(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, "-I.", NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    REQUIRE(status, "clBuildProgram");
    return program;
}

static cl_mem copy_in(cl_context context, const void *data, size_t bytes)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, &status);
    REQUIRE(status, "clCreateBuffer");
    return buffer;
}

void force_field_open(struct force_field *ff, const struct atoms *atoms, const struct neighbours *n)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    const size_t count = atoms->count;
    REQUIRE(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    ff->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    REQUIRE(status, "clCreateContext");
    ff->queue = clCreateCommandQueue(ff->context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    REQUIRE(status, "clCreateCommandQueue");
    ff->program = build(ff->context, device);
    ff->kernel = clCreateKernel(ff->program, "lj_force", &status);
    REQUIRE(status, "clCreateKernel");
    ff->atoms = atoms->count;
    ff->position = copy_in(ff->context, atoms->position, count * sizeof(cl_float4));
    ff->count = copy_in(ff->context, n->count, count * sizeof(cl_int));
    ff->list = copy_in(ff->context, n->list, count * n->most * sizeof(cl_int));
    ff->force = clCreateBuffer(ff->context, CL_MEM_WRITE_ONLY, count * sizeof(cl_float4), NULL, &status);
    REQUIRE(status, "clCreateBuffer");
}

double force_field_run(struct force_field *ff, struct lj_params params)
{
    const cl_uint poison = 0x7fc0dead;
    const size_t local = 64;
    const size_t global = (ff->atoms + local - 1) / local * local;
    cl_event event;
    cl_ulong start, end;
    REQUIRE(clEnqueueFillBuffer(ff->queue, ff->force, &poison, sizeof poison, 0, ff->atoms * sizeof(cl_float4), 0, NULL, NULL),
            "clEnqueueFillBuffer");
    REQUIRE(clSetKernelArg(ff->kernel, 0, sizeof(cl_mem), &ff->position), "position");
    REQUIRE(clSetKernelArg(ff->kernel, 1, sizeof(cl_mem), &ff->count), "count");
    REQUIRE(clSetKernelArg(ff->kernel, 2, sizeof(cl_mem), &ff->list), "list");
    REQUIRE(clSetKernelArg(ff->kernel, 3, sizeof(cl_mem), &ff->force), "force");
    REQUIRE(clSetKernelArg(ff->kernel, 4, sizeof(int), &ff->atoms), "atoms");
    REQUIRE(clSetKernelArg(ff->kernel, 5, sizeof params, &params), "params");
    REQUIRE(clEnqueueNDRangeKernel(ff->queue, ff->kernel, 1, NULL, &global, &local, 0, NULL, &event), "lj_force");
    REQUIRE(clWaitForEvents(1, &event), "clWaitForEvents");
    REQUIRE(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "profiling");
    REQUIRE(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "profiling");
    clReleaseEvent(event);
    return (double)(end - start) * 1e-6;
}

void force_field_read(struct force_field *ff, cl_float4 *force)
{
    REQUIRE(clEnqueueReadBuffer(ff->queue, ff->force, CL_TRUE, 0, ff->atoms * sizeof *force, force, 0, NULL, NULL), "read");
}

void force_field_close(struct force_field *ff)
{
    clReleaseMemObject(ff->position);
    clReleaseMemObject(ff->count);
    clReleaseMemObject(ff->list);
    clReleaseMemObject(ff->force);
    clReleaseKernel(ff->kernel);
    clReleaseProgram(ff->program);
    clReleaseCommandQueue(ff->queue);
    clReleaseContext(ff->context);
}
