/* What every program of this suite needs of OpenCL. Any failure ends the program with a message. */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    double kernel_ms; /* what the launches so far took */
};

static inline void require(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed with OpenCL error %d\n", what, status);
    exit(2);
}

static inline char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1 << 16, 1);
    if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static inline struct host host_open(const char *path)
{
    struct host h = {0};
    cl_platform_id platform;
    cl_int status;
    char *text = text_of(path);
    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL), "clGetDeviceIDs");
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &status);
    require(status, "clCreateContext");
    h.queue = clCreateCommandQueue(h.context, h.device, CL_QUEUE_PROFILING_ENABLE, &status);
    require(status, "clCreateCommandQueue");
    h.program = clCreateProgramWithSource(h.context, 1, (const char **)&text, NULL, &status);
    require(status, "clCreateProgramWithSource");
    require(clBuildProgram(h.program, 1, &h.device, "", NULL, NULL), "clBuildProgram");
    free(text);
    return h;
}

static inline cl_mem upload(struct host *h, float *values, size_t count)
{
    cl_int status;
    cl_mem memory = clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), values, &status);
    require(status, "clCreateBuffer");
    return memory;
}

static inline void download(struct host *h, cl_mem memory, float *values, size_t count)
{
    require(clEnqueueReadBuffer(h->queue, memory, CL_TRUE, 0, count * sizeof(float), values, 0, NULL, NULL), "clEnqueueReadBuffer");
}

/* Waits for a launch and adds its time to the sum. */
static inline void finish(struct host *h, cl_event done)
{
    cl_ulong start, end;
    require(clWaitForEvents(1, &done), "clWaitForEvents");
    require(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "clGetEventProfilingInfo");
    require(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "clGetEventProfilingInfo");
    h->kernel_ms += (double)(end - start) * 1e-6;
    clReleaseEvent(done);
}

static inline size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

static inline void launch_1d(struct host *h, cl_kernel kernel, size_t items, size_t group)
{
    cl_event done;
    size_t local = group;
    size_t global = round_up(items, group);
    require(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, &done), "clEnqueueNDRangeKernel");
    finish(h, done);
}

static inline void launch_2d(struct host *h, cl_kernel kernel, size_t columns, size_t rows)
{
    cl_event done;
    size_t local[2] = {32, 8};
    size_t global[2] = {round_up(columns, local[0]), round_up(rows, local[1])};
    require(clEnqueueNDRangeKernel(h->queue, kernel, 2, NULL, global, local, 0, NULL, &done), "clEnqueueNDRangeKernel");
    finish(h, done);
}

static inline float *random_values(size_t count, unsigned seed)
{
    float *values = malloc(count * sizeof(float));
    unsigned state = seed * 2654435761u + 1u;
    for (size_t i = 0; values && i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
    return values;
}

/* An array of NaN: what a kernel forgets to write fails the check. */
static inline float *unset(size_t count)
{
    float *values = malloc(count * sizeof(float));
    for (size_t i = 0; values && i < count; i++)
        values[i] = NAN;
    return values;
}

static inline void require_size(int n, int least)
{
    if (n < least || n > 16384) {
        fprintf(stderr, "the size must be from %d to 16384\n", least);
        exit(2);
    }
}

static inline int report(struct host *h, long wrong)
{
    printf("kernel_ms %.4f\n", h->kernel_ms);
    printf("check %s\n", wrong ? "FAILED" : "OK");
    return wrong != 0;
}

#endif
