#ifndef DEVICE_H
#define DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

void device_open(struct device *device, const char *source_path, const char *options);
void device_close(struct device *device);

cl_mem device_floats(struct device *device, size_t count);
void device_put(struct device *device, cl_mem memory, const float *values, size_t count);
void device_get(struct device *device, cl_mem memory, float *values, size_t count);

/*
 * Runs a kernel over groups x items and returns its milliseconds. `types` has a letter for each argument that follows:
 * b buffer (cl_mem), i int, f float (given as a double).
 */
double device_run(struct device *device, const char *kernel, size_t groups, size_t items, const char *types, ...);

#endif
