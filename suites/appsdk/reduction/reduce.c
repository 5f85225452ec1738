#include "reduce.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

#define GROUP_SIZE 256

struct reducer {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_uint count;
    cl_mem values;
    cl_mem partial[2]; /* each pass reads one and writes the other */
};

static void die_unless_ok(cl_int status, int line)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "reduce.c:%d: OpenCL status %d\n", line, status);
        exit(2);
    }
}
#define OK(status) die_unless_ok((status), __LINE__)

static cl_uint groups_for(cl_uint count) { return (count + 2 * GROUP_SIZE - 1) / (2 * GROUP_SIZE); }

reducer *reducer_new(const cl_uint *values, cl_uint count)
{
    reducer *r = malloc(sizeof *r);
    cl_platform_id platform;
    cl_int status;
    if (!r)
        exit(2);
    r->count = count;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &r->device, NULL));
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &status);
    OK(status);
    r->queue = clCreateCommandQueue(r->context, r->device, CL_QUEUE_PROFILING_ENABLE, &status);
    OK(status);
    r->program = clCreateProgramWithSource(r->context, reduce_pieces, reduce_source, NULL, &status);
    OK(status);
    status = clBuildProgram(r->program, 0, NULL, NULL, NULL, NULL);
    if (status == CL_BUILD_PROGRAM_FAILURE) {
        char log[8192] = "";
        clGetProgramBuildInfo(r->program, r->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
    }
    OK(status);
    r->kernel = clCreateKernel(r->program, "reduce_sum", &status);
    OK(status);
    r->values = clCreateBuffer(r->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * sizeof(cl_uint), (void *)values,
                               &status);
    OK(status);
    for (int i = 0; i < 2; i++) {
        r->partial[i] = clCreateBuffer(r->context, CL_MEM_READ_WRITE, groups_for(count) * sizeof(cl_uint), NULL, &status);
        OK(status);
    }
    return r;
}

/* One pass: `count` values become one for each work-group. */
static double pass(reducer *r, cl_mem input, cl_mem output, cl_uint count)
{
    const size_t local = GROUP_SIZE;
    const size_t global = groups_for(count) * local;
    cl_event event;
    cl_ulong start, end;
    OK(clSetKernelArg(r->kernel, 0, sizeof(cl_mem), &input));
    OK(clSetKernelArg(r->kernel, 1, sizeof(cl_mem), &output));
    OK(clSetKernelArg(r->kernel, 2, sizeof(cl_uint), &count));
    OK(clSetKernelArg(r->kernel, 3, GROUP_SIZE * sizeof(cl_uint), NULL));
    OK(clEnqueueNDRangeKernel(r->queue, r->kernel, 1, NULL, &global, &local, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    OK(clReleaseEvent(event));
    return (double)(end - start) * 1e-6;
}

cl_uint reducer_sum(reducer *r, double *kernel_ms)
{
    const cl_uint poison = 0x5eed5eedu;
    cl_uint sum = poison;
    int turn = 0;
    for (int i = 0; i < 2; i++)
        OK(clEnqueueFillBuffer(r->queue, r->partial[i], &poison, sizeof poison, 0, groups_for(r->count) * sizeof poison, 0,
                               NULL, NULL));
    *kernel_ms = pass(r, r->values, r->partial[0], r->count);
    for (cl_uint left = groups_for(r->count); left > 1; left = groups_for(left)) {
        *kernel_ms += pass(r, r->partial[turn], r->partial[1 - turn], left);
        turn = 1 - turn;
    }
    OK(clEnqueueReadBuffer(r->queue, r->partial[turn], CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    return sum;
}

void reducer_free(reducer *r)
{
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(r->partial[i]);
    clReleaseMemObject(r->values);
    clReleaseKernel(r->kernel);
    clReleaseProgram(r->program);
    clReleaseCommandQueue(r->queue);
    clReleaseContext(r->context);
    free(r);
}
