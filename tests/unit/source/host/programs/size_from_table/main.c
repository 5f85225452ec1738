#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

/* The command line says which of a few sizes; a size that was chosen that way reaches macros, buffers and launches. */
int option(const char *name);

int main(void)
{
    const int choices[4] = {24, 32, 40, 48};
    int edge = choices[option("size") - 1];
    int points = edge * edge;

    cl_context context = clCreateContext(NULL, 1, NULL, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, NULL, 0, NULL);
    const char *text = "__kernel void relax(__global float *t) { t[get_global_id(0)] *= EDGE; }";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    char options[64];
    snprintf(options, sizeof options, "-DEDGE=%d", edge);
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "relax", NULL);
    cl_mem t = clCreateBuffer(context, CL_MEM_READ_WRITE, points * sizeof(float), NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof t, &t);
    size_t global = points;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    return 0;
}
