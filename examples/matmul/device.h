#ifndef DEVICE_H
#define DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

struct device {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

/* Opens the first OpenCL device and builds the kernels of `path` for it. Any failure ends the program with a message. */
struct device device_open(const char *path);
void device_close(struct device *device);
/* Ends the program when an OpenCL call has failed. */
void device_require(cl_int status, const char *what);
/* Milliseconds between the start and the end of the command behind the event. */
double device_elapsed(cl_event event);

#endif
