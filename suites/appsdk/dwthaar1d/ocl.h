/* The few OpenCL calls of this program, with errors that end it. */
#ifndef OCL_H
#define OCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

struct ocl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

void ocl_open(struct ocl *ocl);
void ocl_close(struct ocl *ocl);
cl_program ocl_build(struct ocl *ocl, const char *path, const char *options);
cl_mem ocl_buffer(struct ocl *ocl, size_t bytes);
void ocl_write(struct ocl *ocl, cl_mem buffer, const void *data, size_t bytes);
void ocl_read(struct ocl *ocl, cl_mem buffer, void *data, size_t bytes);
void ocl_poison(struct ocl *ocl, cl_mem buffer, size_t bytes);
void ocl_set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
double ocl_run_1d(struct ocl *ocl, cl_kernel kernel, size_t global, size_t local);
void ocl_check(cl_int status, const char *what);

#endif
