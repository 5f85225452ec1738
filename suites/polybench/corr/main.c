/* The correlation matrix of m variables from n samples. */
#include "kernels.h"
#include "ocl.h"
#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double standardise(cl_mem data, cl_mem mean, cl_mem deviation, cl_int m, cl_int n)
{
    const cl_float least = 0.005f;
    size_t per_variable = (m + 63) / 64 * 64, group = 64;
    size_t per_value[2] = {(m + 31) / 32 * 32, (n + 7) / 8 * 8}, tile[2] = {32, 8};
    double ms = 0;
    cl_event event;
    cl_kernel kernel = ocl_kernel("corr_mean");
    OCL(clSetKernelArg(kernel, 0, sizeof data, &data));
    OCL(clSetKernelArg(kernel, 1, sizeof mean, &mean));
    OCL(clSetKernelArg(kernel, 2, sizeof m, &m));
    OCL(clSetKernelArg(kernel, 3, sizeof n, &n));
    OCL(clEnqueueNDRangeKernel(ocl_queue, kernel, 1, NULL, &per_variable, &group, 0, NULL, &event));
    ms += ocl_event_ms(event);
    clReleaseKernel(kernel);

    kernel = ocl_kernel("corr_deviation");
    OCL(clSetKernelArg(kernel, 0, sizeof data, &data));
    OCL(clSetKernelArg(kernel, 1, sizeof mean, &mean));
    OCL(clSetKernelArg(kernel, 2, sizeof deviation, &deviation));
    OCL(clSetKernelArg(kernel, 3, sizeof least, &least));
    OCL(clSetKernelArg(kernel, 4, sizeof m, &m));
    OCL(clSetKernelArg(kernel, 5, sizeof n, &n));
    OCL(clEnqueueNDRangeKernel(ocl_queue, kernel, 1, NULL, &per_variable, &group, 0, NULL, &event));
    ms += ocl_event_ms(event);
    clReleaseKernel(kernel);

    kernel = ocl_kernel("corr_standardise");
    OCL(clSetKernelArg(kernel, 0, sizeof data, &data));
    OCL(clSetKernelArg(kernel, 1, sizeof mean, &mean));
    OCL(clSetKernelArg(kernel, 2, sizeof deviation, &deviation));
    OCL(clSetKernelArg(kernel, 3, sizeof m, &m));
    OCL(clSetKernelArg(kernel, 4, sizeof n, &n));
    OCL(clEnqueueNDRangeKernel(ocl_queue, kernel, 2, NULL, per_value, tile, 0, NULL, &event));
    ms += ocl_event_ms(event);
    clReleaseKernel(kernel);
    return ms;
}

static double correlate(cl_mem data, cl_mem corr, cl_int m, cl_int n)
{
    size_t variables = (m + 63) / 64 * 64, group = 64;
    cl_event event;
    cl_kernel kernel = ocl_kernel("corr_matrix");
    OCL(clSetKernelArg(kernel, 0, sizeof data, &data));
    OCL(clSetKernelArg(kernel, 1, sizeof corr, &corr));
    OCL(clSetKernelArg(kernel, 2, sizeof m, &m));
    OCL(clSetKernelArg(kernel, 3, sizeof n, &n));
    OCL(clEnqueueNDRangeKernel(ocl_queue, kernel, 1, NULL, &variables, &group, 0, NULL, &event));
    clReleaseKernel(kernel);
    return ocl_event_ms(event);
}

int main(int argc, char *argv[])
{
    int m = argc > 1 ? atoi(argv[1]) : 512;
    int n = argc > 2 ? atoi(argv[2]) : m;
    if (argc > 3 || m < 1 || n < 2 || m > 4096 || n > 4096) {
        fprintf(stderr, "usage: %s [variables [samples]]\n", argv[0]);
        return 2;
    }
    float *samples = malloc(sizeof(float) * n * m), *corr = malloc(sizeof(float) * m * m);
    if (!samples || !corr)
        return 2;
    make_samples(samples, n, m);
    for (int i = 0; i < m * m; i++)
        corr[i] = NAN;

    ocl_start(corr_kernels);
    cl_mem data_buffer = ocl_buffer(CL_MEM_READ_WRITE, (size_t)n * m), corr_buffer = ocl_buffer(CL_MEM_READ_WRITE, (size_t)m * m);
    cl_mem mean_buffer = ocl_buffer(CL_MEM_READ_WRITE, m), deviation_buffer = ocl_buffer(CL_MEM_READ_WRITE, m);
    ocl_write(data_buffer, samples, (size_t)n * m);
    ocl_write(corr_buffer, corr, (size_t)m * m);
    ocl_write(mean_buffer, corr, m);
    ocl_write(deviation_buffer, corr, m);

    double ms = standardise(data_buffer, mean_buffer, deviation_buffer, m, n);
    ms += correlate(data_buffer, corr_buffer, m, n);
    ocl_read(corr_buffer, corr, (size_t)m * m);

    long wrong = wrong_correlations(samples, corr, n, m);
    printf("kernel_ms %.4f\n", ms);
    printf("%s\n", wrong ? "check FAILED" : "check OK");
    clReleaseMemObject(data_buffer);
    clReleaseMemObject(mean_buffer);
    clReleaseMemObject(deviation_buffer);
    clReleaseMemObject(corr_buffer);
    ocl_stop();
    free(samples);
    free(corr);
    return wrong ? 1 : 0;
}
