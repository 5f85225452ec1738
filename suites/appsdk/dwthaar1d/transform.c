#include "transform.h"

#include <stdio.h>

enum { GROUP = 128 };

void transform_open(struct transform *t, struct ocl *ocl, const float *signal, unsigned samples)
{
    char options[64];
    cl_int status;
    t->ocl = ocl;
    t->samples = samples;
    for (t->length = 2 * GROUP; t->length < samples;)
        t->length *= 2;
    snprintf(options, sizeof options, "-I. -DGROUP=%d", GROUP);
    t->program = ocl_build(ocl, "dwthaar.cl", options);
    t->kernel = clCreateKernel(t->program, "dwt_haar", &status);
    ocl_check(status, "dwt_haar");
    t->signal = ocl_buffer(ocl, samples * sizeof(float));
    ocl_write(ocl, t->signal, signal, samples * sizeof(float));
    t->coefficients = ocl_buffer(ocl, t->length * sizeof(float));
    for (int i = 0; i < 2; i++)
        t->averages[i] = ocl_buffer(ocl, t->length / (2 * GROUP) * sizeof(float));
}

static unsigned log2_of(unsigned power)
{
    unsigned log = 0;
    while (power > 1) {
        power /= 2;
        log++;
    }
    return log;
}

double transform_run(struct transform *t)
{
    double ms = 0.0;
    cl_mem input = t->signal;
    unsigned given = t->samples, length = t->length, turn = 0;

    ocl_poison(t->ocl, t->coefficients, t->length * sizeof(float));
    for (int i = 0; i < 2; i++)
        ocl_poison(t->ocl, t->averages[i], t->length / (2 * GROUP) * sizeof(float));
    while (length > 1) {
        /* the last launch may have less than one group's worth of samples left */
        const unsigned levels = length < 2 * GROUP ? log2_of(length) : log2_of(2 * GROUP);
        const unsigned groups = length < 2 * GROUP ? 1 : length / (2 * GROUP);
        const size_t local = length < 2 * GROUP ? length / 2 : GROUP;
        ocl_set(t->kernel, 0, sizeof(cl_mem), &input);
        ocl_set(t->kernel, 1, sizeof(cl_mem), &t->coefficients);
        ocl_set(t->kernel, 2, sizeof(cl_mem), &t->averages[turn]);
        ocl_set(t->kernel, 3, sizeof(unsigned), &given);
        ocl_set(t->kernel, 4, sizeof(unsigned), &length);
        ocl_set(t->kernel, 5, sizeof(unsigned), &levels);
        ms += ocl_run_1d(t->ocl, t->kernel, groups * local, local);
        input = t->averages[turn];
        turn = 1 - turn;
        given = length = groups == 1 ? 1 : groups;
    }
    /* what is left of the signal after all levels is its overall average */
    ocl_check(clEnqueueCopyBuffer(t->ocl->queue, input, t->coefficients, 0, 0, sizeof(float), 0, NULL, NULL), "copy");
    return ms;
}

void transform_result(struct transform *t, float *coefficients)
{
    ocl_read(t->ocl, t->coefficients, coefficients, t->length * sizeof(float));
}

void transform_close(struct transform *t)
{
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(t->averages[i]);
    clReleaseMemObject(t->coefficients);
    clReleaseMemObject(t->signal);
    clReleaseKernel(t->kernel);
    clReleaseProgram(t->program);
}
