#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>

void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "dotproduct: %s failed with OpenCL error %d\n", what, status);
    exit(1);
}

struct session session_open(void)
{
    struct session session;
    cl_platform_id platform;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &session.device, NULL), "clGetDeviceIDs");
    session.context = clCreateContext(NULL, 1, &session.device, NULL, NULL, &status);
    must(status, "clCreateContext");
    session.queue = clCreateCommandQueue(session.context, session.device, CL_QUEUE_PROFILING_ENABLE, &status);
    must(status, "clCreateCommandQueue");
    return session;
}

cl_program session_build(const struct session *session, const char *source)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(session->context, 1, &source, NULL, &status);
    must(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &session->device, "", NULL, NULL);
    if (status != CL_SUCCESS) {
        char log[16384] = "";
        clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    must(status, "clBuildProgram");
    return program;
}

cl_mem session_buffer(const struct session *session, cl_mem_flags flags, size_t bytes, void *contents)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(session->context, flags, bytes, contents, &status);
    must(status, "clCreateBuffer");
    return buffer;
}

void session_close(struct session *session)
{
    clReleaseCommandQueue(session->queue);
    clReleaseContext(session->context);
}

double event_milliseconds(cl_event event)
{
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
    return (end - start) / 1e6;
}
