/* Multiplies two matrices on the first OpenCL device, and tells how long the kernel took. */
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "matrix.h"
#include "options.h"

#define TILE 16

static size_t round_up(size_t value, size_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Runs the product `repeat` times back to back after one warm-up; returns the median kernel time in milliseconds. */
static double multiply(struct device *device, const struct matrix *a, const struct matrix *b, struct matrix *c, int repeat)
{
    const int rows = a->rows, columns = b->columns, inner = a->columns;
    const size_t a_bytes = sizeof(float) * rows * inner;
    const size_t b_bytes = sizeof(float) * inner * columns;
    const size_t c_bytes = sizeof(float) * rows * columns;
    cl_int status;

    cl_mem a_buffer = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, a_bytes, a->values, &status);
    device_require(status, "clCreateBuffer");
    cl_mem b_buffer = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, b_bytes, b->values, &status);
    device_require(status, "clCreateBuffer");
    cl_mem c_buffer = clCreateBuffer(device->context, CL_MEM_WRITE_ONLY, c_bytes, NULL, &status);
    device_require(status, "clCreateBuffer");

    cl_kernel kernel = clCreateKernel(device->program, "matmul", &status);
    device_require(status, "clCreateKernel");
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &a_buffer);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &b_buffer);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), &c_buffer);
    clSetKernelArg(kernel, 3, sizeof(int), &rows);
    clSetKernelArg(kernel, 4, sizeof(int), &columns);
    clSetKernelArg(kernel, 5, sizeof(int), &inner);

    const size_t local[2] = {TILE, TILE};
    const size_t global[2] = {round_up(columns, TILE), round_up(rows, TILE)};

    cl_event *events = malloc(sizeof(cl_event) * (repeat + 1));
    for (int run = 0; run <= repeat; run++) {
        status = clEnqueueNDRangeKernel(device->queue, kernel, 2, NULL, global, local, 0, NULL, &events[run]);
        device_require(status, "clEnqueueNDRangeKernel");
    }
    device_require(clFinish(device->queue), "clFinish");

    double *times = malloc(sizeof(double) * (repeat + 1));
    for (int run = 0; run <= repeat; run++) {
        times[run] = device_elapsed(events[run]);
        clReleaseEvent(events[run]);
    }
    free(events);
    qsort(times + 1, repeat, sizeof(double), by_value);
    const double median = times[1 + repeat / 2];
    free(times);

    device_require(clEnqueueReadBuffer(device->queue, c_buffer, CL_TRUE, 0, c_bytes, c->values, 0, NULL, NULL), "clEnqueueReadBuffer");
    clReleaseKernel(kernel);
    clReleaseMemObject(a_buffer);
    clReleaseMemObject(b_buffer);
    clReleaseMemObject(c_buffer);
    return median;
}

int main(int argc, char **argv)
{
    struct options options = {.rows = 512, .columns = 512, .inner = 512, .repeat = 30, .check = 0};
    if (!options_read(&options, argc, argv))
        return 2;

    struct matrix a = matrix_new(options.rows, options.inner);
    struct matrix b = matrix_new(options.inner, options.columns);
    struct matrix c = matrix_new(options.rows, options.columns);
    matrix_fill(&a, 1);
    matrix_fill(&b, 2);

    struct device device = device_open("matmul.cl");
    const double milliseconds = multiply(&device, &a, &b, &c, options.repeat);
    device_close(&device);
    printf("kernel: %.3f ms\n", milliseconds);

    int wrong = 0;
    if (options.check) {
        wrong = matrix_check_product(&a, &b, &c);
        if (wrong)
            printf("check: %d elements differ\n", wrong);
        else
            printf("check: ok\n");
    }
    matrix_free(&a);
    matrix_free(&b);
    matrix_free(&c);
    return wrong ? 1 : 0;
}
