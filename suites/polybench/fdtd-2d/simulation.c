#include "simulation.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

struct simulation {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel ey_kernel, ex_kernel, hz_kernel;
    cl_mem ex, ey, hz, source;
    int nx, ny;
    double kernel_ms;
};

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "fdtd-2d: %s: %d\n", what, status);
        exit(2);
    }
}

static char *file_text(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = calloc(1, 8192);
    if (!file || !text || !fread(text, 1, 8191, file)) {
        fprintf(stderr, "fdtd-2d: cannot read %s\n", name);
        exit(2);
    }
    fclose(file);
    return text;
}

static cl_mem copied(struct simulation *s, float *values, size_t count)
{
    cl_int status;
    cl_mem memory = clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(float) * count, values, &status);
    must(status, "memory");
    return memory;
}

static cl_kernel kernel_called(struct simulation *s, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(s->program, name, &status);
    must(status, name);
    return kernel;
}

struct simulation *simulation_open(const struct fields *start, const struct options *size)
{
    struct simulation *s = calloc(1, sizeof *s);
    const size_t cells = (size_t)size->nx * size->ny;
    char *parts[2] = {file_text("yee.clh"), file_text("fdtd.cl")};
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    s->nx = size->nx;
    s->ny = size->ny;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    s->context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    s->queue = clCreateCommandQueue(s->context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    must(status, "queue");
    s->program = clCreateProgramWithSource(s->context, 2, (const char **)parts, NULL, &status);
    must(status, "program");
    must(clBuildProgram(s->program, 1, &device, NULL, NULL, NULL), "build");
    free(parts[0]);
    free(parts[1]);

    s->ex = copied(s, start->ex, cells);
    s->ey = copied(s, start->ey, cells);
    s->hz = copied(s, start->hz, cells);
    s->source = copied(s, start->source, size->steps);
    s->ey_kernel = kernel_called(s, "fdtd_ey");
    s->ex_kernel = kernel_called(s, "fdtd_ex");
    s->hz_kernel = kernel_called(s, "fdtd_hz");
    clSetKernelArg(s->ey_kernel, 0, sizeof(cl_mem), &s->source);
    clSetKernelArg(s->ey_kernel, 1, sizeof(cl_mem), &s->ey);
    clSetKernelArg(s->ey_kernel, 2, sizeof(cl_mem), &s->hz);
    clSetKernelArg(s->ey_kernel, 4, sizeof(int), &s->nx);
    clSetKernelArg(s->ey_kernel, 5, sizeof(int), &s->ny);
    clSetKernelArg(s->ex_kernel, 0, sizeof(cl_mem), &s->ex);
    clSetKernelArg(s->ex_kernel, 1, sizeof(cl_mem), &s->hz);
    clSetKernelArg(s->ex_kernel, 2, sizeof(int), &s->nx);
    clSetKernelArg(s->ex_kernel, 3, sizeof(int), &s->ny);
    clSetKernelArg(s->hz_kernel, 0, sizeof(cl_mem), &s->ex);
    clSetKernelArg(s->hz_kernel, 1, sizeof(cl_mem), &s->ey);
    clSetKernelArg(s->hz_kernel, 2, sizeof(cl_mem), &s->hz);
    clSetKernelArg(s->hz_kernel, 3, sizeof(int), &s->nx);
    clSetKernelArg(s->hz_kernel, 4, sizeof(int), &s->ny);
    return s;
}

static double milliseconds(cl_event event)
{
    cl_ulong from, to;
    must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(from), &from, NULL), "profile");
    must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(to), &to, NULL), "profile");
    clReleaseEvent(event);
    return (to - from) * 1e-6;
}

void simulation_advance(struct simulation *s, int steps)
{
    const size_t group[2] = {64, 4};
    const size_t grid[2] = {(s->ny + group[0] - 1) / group[0] * group[0], (s->nx + group[1] - 1) / group[1] * group[1]};
    for (int t = 0; t < steps; t++) {
        cl_event events[3];
        clSetKernelArg(s->ey_kernel, 3, sizeof(int), &t);
        must(clEnqueueNDRangeKernel(s->queue, s->ey_kernel, 2, NULL, grid, group, 0, NULL, &events[0]), "fdtd_ey");
        must(clEnqueueNDRangeKernel(s->queue, s->ex_kernel, 2, NULL, grid, group, 0, NULL, &events[1]), "fdtd_ex");
        must(clEnqueueNDRangeKernel(s->queue, s->hz_kernel, 2, NULL, grid, group, 0, NULL, &events[2]), "fdtd_hz");
        must(clFinish(s->queue), "clFinish");
        s->kernel_ms += milliseconds(events[0]) + milliseconds(events[1]) + milliseconds(events[2]);
    }
}

void simulation_read(struct simulation *s, struct fields *out)
{
    const size_t bytes = sizeof(float) * s->nx * s->ny;
    must(clEnqueueReadBuffer(s->queue, s->ex, CL_TRUE, 0, bytes, out->ex, 0, NULL, NULL), "read ex");
    must(clEnqueueReadBuffer(s->queue, s->ey, CL_TRUE, 0, bytes, out->ey, 0, NULL, NULL), "read ey");
    must(clEnqueueReadBuffer(s->queue, s->hz, CL_TRUE, 0, bytes, out->hz, 0, NULL, NULL), "read hz");
}

double simulation_kernel_ms(const struct simulation *s) { return s->kernel_ms; }

void simulation_close(struct simulation *s)
{
    clReleaseKernel(s->ey_kernel);
    clReleaseKernel(s->ex_kernel);
    clReleaseKernel(s->hz_kernel);
    clReleaseMemObject(s->ex);
    clReleaseMemObject(s->ey);
    clReleaseMemObject(s->hz);
    clReleaseMemObject(s->source);
    clReleaseProgram(s->program);
    clReleaseCommandQueue(s->queue);
    clReleaseContext(s->context);
    free(s);
}
