#ifndef OCL_H
#define OCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

extern cl_context ocl_context;
extern cl_command_queue ocl_queue;
extern cl_program ocl_program;

#define OCL(call) ocl_check((call), #call, __FILE__, __LINE__)

void ocl_check(cl_int status, const char *call, const char *file, int line);
void ocl_start(const char *source);
void ocl_stop(void);
cl_kernel ocl_kernel(const char *name);
cl_mem ocl_buffer(cl_mem_flags flags, size_t count);
void ocl_write(cl_mem buffer, const float *values, size_t count);
void ocl_read(cl_mem buffer, float *values, size_t count);
double ocl_event_ms(cl_event event);

#endif
