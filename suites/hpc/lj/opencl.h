#ifndef OPENCL_H
#define OPENCL_H

#include "atoms.h"
#include "lj_params.h"
#include "neighbours.h"

/* The force kernel with its buffers. */
struct force_field {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem position, count, list, force;
    int atoms;
};

void force_field_open(struct force_field *ff, const struct atoms *atoms, const struct neighbours *n);
double force_field_run(struct force_field *ff, struct lj_params params); /* milliseconds */
void force_field_read(struct force_field *ff, cl_float4 *force);
void force_field_close(struct force_field *ff);

#endif
