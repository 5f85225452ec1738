#include <CL/cl.h>
int main(void) {
  size_t global = 256;
  cl_kernel first = clCreateKernel(0, "scale", NULL), second = clCreateKernel(0, "scale", NULL);
  float half = 0.5f, twice = 2.0f;
  clSetKernelArg(first, 0, sizeof(float), &half);
  clSetKernelArg(second, 0, sizeof(float), &twice);
  clEnqueueNDRangeKernel(0, first, 1, NULL, &global, NULL, 0, NULL, NULL);
  clEnqueueNDRangeKernel(0, second, 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
