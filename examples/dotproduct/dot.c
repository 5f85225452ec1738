#include "dot.h"

#include <stdlib.h>

#include "opencl.h"

#define GROUP 256

/* Each work-group sums its share of the products in local memory, halving the work-items that add at every step. */
static const char *const dot_source =
    "__kernel void dot_partial(__global const float *x, __global const float *y, __global float *partial,\n"
    "                          __local float *scratch, const int length)\n"
    "{\n"
    "    const int global_index = get_global_id(0);\n"
    "    const int local_index = get_local_id(0);\n"
    "\n"
    "    scratch[local_index] = global_index < length ? x[global_index] * y[global_index] : 0.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "\n"
    "    for (int stride = get_local_size(0) / 2; stride > 0; stride /= 2) {\n"
    "        if (local_index < stride)\n"
    "            scratch[local_index] += scratch[local_index + stride];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "\n"
    "    if (local_index == 0)\n"
    "        partial[get_group_id(0)] = scratch[0];\n"
    "}\n";

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct dot_result dot(const float *x, const float *y, int length, int repeat)
{
    struct session session = session_open();
    const size_t groups = (length + GROUP - 1) / GROUP;
    cl_mem x_buffer = session_buffer(&session, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(float) * length, (void *)x);
    cl_mem y_buffer = session_buffer(&session, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(float) * length, (void *)y);
    cl_mem partial_buffer = session_buffer(&session, CL_MEM_WRITE_ONLY, sizeof(float) * groups, NULL);

    cl_int status;
    cl_program program = session_build(&session, dot_source);
    cl_kernel kernel = clCreateKernel(program, "dot_partial", &status);
    must(status, "clCreateKernel");
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &x_buffer);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &y_buffer);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), &partial_buffer);
    clSetKernelArg(kernel, 3, sizeof(float) * GROUP, NULL);
    clSetKernelArg(kernel, 4, sizeof(int), &length);

    const size_t local_size = GROUP;
    const size_t global_size = groups * GROUP;
    cl_event *events = malloc(sizeof(cl_event) * (repeat + 1));
    for (int run = 0; run <= repeat; run++) {
        must(clEnqueueNDRangeKernel(session.queue, kernel, 1, NULL, &global_size, &local_size, 0, NULL, &events[run]),
             "clEnqueueNDRangeKernel");
    }
    must(clFinish(session.queue), "clFinish");

    double *times = malloc(sizeof(double) * (repeat + 1));
    for (int run = 0; run <= repeat; run++) {
        times[run] = event_milliseconds(events[run]);
        clReleaseEvent(events[run]);
    }
    free(events);
    qsort(times + 1, repeat, sizeof(double), by_value);

    struct dot_result result = {0.0, times[1 + repeat / 2]};
    float *partial = malloc(sizeof(float) * groups);
    must(clEnqueueReadBuffer(session.queue, partial_buffer, CL_TRUE, 0, sizeof(float) * groups, partial, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    for (size_t i = 0; i < groups; i++)
        result.value += partial[i];

    free(partial);
    free(times);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(x_buffer);
    clReleaseMemObject(y_buffer);
    clReleaseMemObject(partial_buffer);
    session_close(&session);
    return result;
}
