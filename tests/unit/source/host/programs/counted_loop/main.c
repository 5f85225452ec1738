#include <CL/cl.h>
#define N 1024
int main(void) {
  cl_kernel k = clCreateKernel(0, "eliminate", NULL);
  cl_mem a = clCreateBuffer(0, CL_MEM_READ_WRITE, N * N * sizeof(double), NULL, NULL);
  float t = 0;
  clSetKernelArg(k, 0, sizeof a, &a);
  for (int row = 0; row < N - 1; row++) {
    size_t global[2] = {N - row, N};
    size_t local[2] = {1, 64};
    clSetKernelArg(k, 1, sizeof row, &row);
    clSetKernelArg(k, 2, sizeof t, &t);
    clEnqueueNDRangeKernel(0, k, 2, NULL, global, local, 0, NULL, NULL);
    t += 0.5f;
  }
  return 0;
}
