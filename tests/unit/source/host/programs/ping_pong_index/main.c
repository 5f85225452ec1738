#include <CL/cl.h>
int main(void) {
  int n = 4096, cur = 0;
  size_t global = n;
  cl_mem state[2];
  cl_kernel k = clCreateKernel(0, "advance", NULL);
  for (int i = 0; i < 2; i++) state[i] = clCreateBuffer(0, CL_MEM_READ_WRITE, n * 16, NULL, NULL);
  for (int step = 0; step < 10; step++) {
    clSetKernelArg(k, 0, sizeof(cl_mem), &state[cur]);
    clSetKernelArg(k, 1, sizeof(cl_mem), &state[1 - cur]);
    clEnqueueNDRangeKernel(0, k, 1, NULL, &global, NULL, 0, NULL, NULL);
    cur = 1 - cur;
  }
  return 0;
}
