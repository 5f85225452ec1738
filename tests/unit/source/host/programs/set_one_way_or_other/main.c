#include <CL/cl.h>
#include <stdio.h>
static cl_kernel k;
static void set(int index, void *what, int size) {
  if (!size)
    clSetKernelArg(k, index, sizeof(what), &what);
  else
    clSetKernelArg(k, index, size, what);
}
int main(int argc, char **argv) {
  int features;
  FILE *in = fopen(argv[1], "r");
  fscanf(in, "%d", &features);
  k = clCreateKernel(0, "gain", NULL);
  set(0, NULL, features * sizeof(float));
  size_t g = 4096, l = 64;
  clEnqueueNDRangeKernel(0, k, 1, NULL, &g, &l, 0, NULL, NULL);
  return 0;
}
