#include <CL/cl.h>
#include <stdlib.h>
typedef struct {
  cl_int points, clusters;
  cl_float limit;
} params;
int main(int argc, char **argv) {
  params p;
  p.points = argc > 1 ? atoi(argv[1]) : 40000;
  p.clusters = 20;
  p.limit = 3.0f;
  size_t global = p.points, local = 64;
  cl_kernel k = clCreateKernel(0, "assign", NULL);
  clSetKernelArg(k, 0, sizeof(params), &p);
  clSetKernelArg(k, 1, local * sizeof(float), NULL);
  clEnqueueNDRangeKernel(0, k, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
