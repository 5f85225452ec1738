#ifndef TRANSFORM_H
#define TRANSFORM_H

#include "ocl.h"

/* A Haar transform of a signal of any length, as if zeros followed it up to a power of two. */
struct transform {
    struct ocl *ocl;
    cl_program program;
    cl_kernel kernel;
    unsigned samples; /* given */
    unsigned length;  /* the power of two */
    cl_mem signal, coefficients, averages[2];
};

void transform_open(struct transform *t, struct ocl *ocl, const float *signal, unsigned samples);
double transform_run(struct transform *t); /* milliseconds in kernels */
void transform_result(struct transform *t, float *coefficients);
void transform_close(struct transform *t);

#endif
