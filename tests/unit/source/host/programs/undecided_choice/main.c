#include <CL/cl.h>
#include <time.h>
int main(void) {
  cl_command_queue queue = 0;
  cl_kernel kernel = clCreateKernel(0, "scale", NULL);
  size_t global = 4096;
  size_t local = time(NULL) % 2 ? 64 : 128;
  float factor = time(NULL) % 2 ? 1.5f : 1.5f;
  clSetKernelArg(kernel, 0, sizeof(float), &factor);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
