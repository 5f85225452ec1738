// What is computed in float rounds at each step, a formula over it once: one step is the same, two need not be.
#include <CL/cl.h>
#include <stdlib.h>

struct settings {
    float sigma;
    double step;
};

void launch(cl_command_queue queue, cl_kernel blur, int argc, char **argv)
{
    struct settings s = {0.12f, 0.1};
    if (argc > 1) s.sigma = (float)atof(argv[1]);
    if (argc > 2) s.step = atof(argv[2]);
    const float once = 2.0f * s.sigma;
    const float twice = 1.0f / (2.0f * s.sigma * s.sigma);
    const double exact = 1.0 / (2.0 * s.step * s.step);
    size_t n = 1024;
    clSetKernelArg(blur, 0, sizeof once, &once);
    clSetKernelArg(blur, 1, sizeof twice, &twice);
    clSetKernelArg(blur, 2, sizeof exact, &exact);
    clEnqueueNDRangeKernel(queue, blur, 1, NULL, &n, NULL, 0, NULL, NULL);
}

int main(int argc, char **argv)
{
    cl_program program = clCreateProgramWithSource(0, 0, 0, 0, 0);
    launch(clCreateCommandQueue(0, 0, 0, 0), clCreateKernel(program, "blur", 0), argc, argv);
    return 0;
}
