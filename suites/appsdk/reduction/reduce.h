#ifndef REDUCE_H
#define REDUCE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* Sums on the device; everything it needs is made once. */
typedef struct reducer reducer;

reducer *reducer_new(const cl_uint *values, cl_uint count);
cl_uint reducer_sum(reducer *r, double *kernel_ms);
void reducer_free(reducer *r);

#endif
