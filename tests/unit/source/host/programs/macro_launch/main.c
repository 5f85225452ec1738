#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call)                        \
  do {                                     \
    cl_int e_ = (call);                    \
    if (e_ != CL_SUCCESS) {                \
      fprintf(stderr, "error %d\n", e_);   \
      exit(1);                             \
    }                                      \
  } while (0)
#define ARG(k, i, x) CHECK(clSetKernelArg(k, i, sizeof(x), &(x)))
#define LAUNCH(k, g, l) CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &(g), &(l), 0, NULL, NULL))
static cl_command_queue queue;
int main(int argc, char **argv) {
  int n = 1000;
  if (argc > 1) n = atoi(argv[1]);
  cl_kernel k = clCreateKernel(0, "scale", NULL);
  cl_mem x = clCreateBuffer(0, CL_MEM_READ_WRITE, n * sizeof(float), NULL, NULL);
  size_t local = 32, global = (n + local - 1) / local * local;
  ARG(k, 0, x);
  ARG(k, 1, n);
  LAUNCH(k, global, local);
  return 0;
}
