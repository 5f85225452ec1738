#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gemver.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static double kernel_ms;

static void fail(const char *what, cl_int code)
{
    fprintf(stderr, "gemver: %s: error %d\n", what, (int)code);
    exit(2);
}

static void setup(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if ((code = clGetPlatformIDs(1, &platform, NULL)) != CL_SUCCESS)
        fail("no platform", code);
    if ((code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) != CL_SUCCESS)
        fail("no device", code);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (!context)
        fail("context", code);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (!queue)
        fail("queue", code);
    program = clCreateProgramWithSource(context, 1, &gemver_source, NULL, &code);
    if (!program)
        fail("program", code);
    if ((code = clBuildProgram(program, 1, &device, "", NULL, NULL)) != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fputs(log, stderr);
        fail("build", code);
    }
}

static cl_mem on_device(const float *values, size_t count)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * sizeof(float), (void *)values, &code);
    if (!buffer)
        fail("buffer", code);
    return buffer;
}

/* run("name", dimensions, extent, count, size, pointer, size, pointer, ...): a kernel with `count` arguments over extent^dimensions */
static void run(const char *name, cl_uint dimensions, int extent, int count, ...)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (!kernel)
        fail(name, code);
    va_list arguments;
    va_start(arguments, count);
    for (int i = 0; i < count; i++) {
        size_t size = va_arg(arguments, size_t);
        const void *value = va_arg(arguments, const void *);
        if ((code = clSetKernelArg(kernel, i, size, value)) != CL_SUCCESS)
            fail("argument", code);
    }
    va_end(arguments);

    size_t global[2], local[2] = {dimensions == 1 ? 128 : 16, 16};
    for (cl_uint d = 0; d < dimensions; d++)
        global[d] = (extent + local[d] - 1) / local[d] * local[d];
    cl_event event;
    if ((code = clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, &event)) != CL_SUCCESS)
        fail(name, code);
    clFinish(queue);
    cl_ulong begin, end;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    kernel_ms += (end - begin) * 1e-6;
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

static float *from_device(cl_mem buffer, size_t count)
{
    float *values = malloc(count * sizeof(float));
    cl_int code = values ? clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(float), values, 0, NULL, NULL) : CL_OUT_OF_HOST_MEMORY;
    if (code != CL_SUCCESS)
        fail("read", code);
    return values;
}

#define MEM(buffer) sizeof(cl_mem), &(buffer)
#define VALUE(scalar) sizeof(scalar), &(scalar)

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 3072;
    if (n < 2 || n > 16384) {
        fprintf(stderr, "usage: %s [size]\n", argv[0]);
        return 2;
    }
    struct problem p = problem_make(n);
    setup();
    cl_mem a = on_device(p.a, (size_t)n * n), u1 = on_device(p.u1, n), v1 = on_device(p.v1, n), u2 = on_device(p.u2, n);
    cl_mem v2 = on_device(p.v2, n), x = on_device(p.x, n), y = on_device(p.y, n), z = on_device(p.z, n), w = on_device(p.w, n);

    run("gemver_update", 2, n, 6, MEM(a), MEM(u1), MEM(v1), MEM(u2), MEM(v2), VALUE(n));
    run("gemver_transposed", 1, n, 6, MEM(a), MEM(x), MEM(y), MEM(z), VALUE(p.beta), VALUE(n));
    run("gemver_straight", 1, n, 5, MEM(a), MEM(w), MEM(x), VALUE(p.alpha), VALUE(n));

    float *a_out = from_device(a, (size_t)n * n), *x_out = from_device(x, n), *w_out = from_device(w, n);
    long wrong = problem_wrong(&p, a_out, x_out, w_out);
    printf("kernel_ms %.3f\ncheck %s\n", kernel_ms, wrong == 0 ? "OK" : "FAILED");
    problem_free(&p);
    free(a_out);
    free(x_out);
    free(w_out);
    return wrong != 0;
}
