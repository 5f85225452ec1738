#include "ocl.h"

#include <stdio.h>
#include <stdlib.h>

cl_context ocl_context;
cl_command_queue ocl_queue;
cl_program ocl_program;

void ocl_check(cl_int status, const char *call, const char *file, int line)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s:%d: %s returned %d\n", file, line, call, status);
        exit(2);
    }
}

void ocl_start(const char *source)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    OCL(clGetPlatformIDs(1, &platform, NULL));
    OCL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    ocl_context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    OCL(status);
    ocl_queue = clCreateCommandQueue(ocl_context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    OCL(status);
    ocl_program = clCreateProgramWithSource(ocl_context, 1, &source, NULL, &status);
    OCL(status);
    OCL(clBuildProgram(ocl_program, 0, NULL, NULL, NULL, NULL));
}

void ocl_stop(void)
{
    clReleaseProgram(ocl_program);
    clReleaseCommandQueue(ocl_queue);
    clReleaseContext(ocl_context);
}

cl_kernel ocl_kernel(const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(ocl_program, name, &status);
    OCL(status);
    return kernel;
}

cl_mem ocl_buffer(cl_mem_flags flags, size_t count)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(ocl_context, flags, count * sizeof(cl_float), NULL, &status);
    OCL(status);
    return buffer;
}

void ocl_write(cl_mem buffer, const float *values, size_t count)
{
    OCL(clEnqueueWriteBuffer(ocl_queue, buffer, CL_TRUE, 0, count * sizeof(cl_float), values, 0, NULL, NULL));
}

void ocl_read(cl_mem buffer, float *values, size_t count)
{
    OCL(clEnqueueReadBuffer(ocl_queue, buffer, CL_TRUE, 0, count * sizeof(cl_float), values, 0, NULL, NULL));
}

double ocl_event_ms(cl_event event)
{
    cl_ulong begin = 0, end = 0;
    OCL(clWaitForEvents(1, &event));
    OCL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(cl_ulong), &begin, NULL));
    OCL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &end, NULL));
    clReleaseEvent(event);
    return (end - begin) / 1.0e6;
}
