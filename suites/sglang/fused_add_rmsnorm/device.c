#include "device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void stop_on(cl_int error, const char *where)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", where, error);
    exit(2);
}

static char *slurp(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "no %s here\n", path);
        exit(2);
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

void device_open(struct device *device, const char *source_path, const char *options)
{
    cl_platform_id platform;
    cl_int error;
    const char *text = slurp(source_path);
    stop_on(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    stop_on(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL), "clGetDeviceIDs");
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    stop_on(error, "clCreateContext");
    device->queue = clCreateCommandQueue(device->context, device->id, CL_QUEUE_PROFILING_ENABLE, &error);
    stop_on(error, "clCreateCommandQueue");
    device->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &error);
    stop_on(error, "clCreateProgramWithSource");
    stop_on(clBuildProgram(device->program, 1, &device->id, options, NULL, NULL), "clBuildProgram");
}

void device_close(struct device *device)
{
    clReleaseProgram(device->program);
    clReleaseCommandQueue(device->queue);
    clReleaseContext(device->context);
}

cl_mem device_floats(struct device *device, size_t count)
{
    cl_int error;
    cl_mem memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE, count * sizeof(float), NULL, &error);
    stop_on(error, "clCreateBuffer");
    return memory;
}

void device_put(struct device *device, cl_mem memory, const float *values, size_t count)
{
    stop_on(clEnqueueWriteBuffer(device->queue, memory, CL_TRUE, 0, count * sizeof(float), values, 0, NULL, NULL), "write");
}

void device_get(struct device *device, cl_mem memory, float *values, size_t count)
{
    stop_on(clEnqueueReadBuffer(device->queue, memory, CL_TRUE, 0, count * sizeof(float), values, 0, NULL, NULL), "read");
}

static void set_argument(cl_kernel kernel, cl_uint position, char type, va_list *list)
{
    cl_mem memory;
    cl_int whole;
    cl_float real;
    switch (type) {
    case 'b':
        memory = va_arg(*list, cl_mem);
        stop_on(clSetKernelArg(kernel, position, sizeof memory, &memory), "buffer argument");
        break;
    case 'i':
        whole = va_arg(*list, int);
        stop_on(clSetKernelArg(kernel, position, sizeof whole, &whole), "int argument");
        break;
    default:
        real = (cl_float)va_arg(*list, double);
        stop_on(clSetKernelArg(kernel, position, sizeof real, &real), "float argument");
    }
}

double device_run(struct device *device, const char *name, size_t groups, size_t items, const char *types, ...)
{
    cl_int error;
    cl_event event;
    cl_ulong start, end;
    const size_t global = groups * items;
    cl_kernel kernel = clCreateKernel(device->program, name, &error);
    stop_on(error, name);

    va_list list;
    va_start(list, types);
    for (cl_uint i = 0; types[i]; i++)
        set_argument(kernel, i, types[i], &list);
    va_end(list);

    stop_on(clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global, &items, 0, NULL, &event), name);
    stop_on(clFinish(device->queue), "clFinish");
    stop_on(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "start");
    stop_on(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "end");
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    return (double)(end - start) / 1e6;
}
