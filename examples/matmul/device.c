#include "device.h"

#include <stdio.h>
#include <stdlib.h>

void device_require(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "matmul: %s failed with OpenCL error %d\n", what, status);
    exit(1);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "matmul: cannot read %s\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (!text || fread(text, 1, size, file) != (size_t)size) {
        fprintf(stderr, "matmul: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static void build(struct device *device, cl_device_id id)
{
    const cl_int status = clBuildProgram(device->program, 1, &id, "", NULL, NULL);
    if (status == CL_SUCCESS)
        return;
    char log[16384] = "";
    clGetProgramBuildInfo(device->program, id, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
    device_require(status, "clBuildProgram");
}

struct device device_open(const char *path)
{
    struct device device;
    cl_platform_id platform;
    cl_device_id id;
    cl_int status;
    device_require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    device_require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
    device.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    device_require(status, "clCreateContext");
    device.queue = clCreateCommandQueue(device.context, id, CL_QUEUE_PROFILING_ENABLE, &status);
    device_require(status, "clCreateCommandQueue");

    char *text = read_text(path);
    device.program = clCreateProgramWithSource(device.context, 1, (const char **)&text, NULL, &status);
    device_require(status, "clCreateProgramWithSource");
    build(&device, id);
    free(text);
    return device;
}

void device_close(struct device *device)
{
    clReleaseProgram(device->program);
    clReleaseCommandQueue(device->queue);
    clReleaseContext(device->context);
}

double device_elapsed(cl_event event)
{
    cl_ulong start = 0, end = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
    return (end - start) / 1e6;
}
