#include "solver.h"
#include <stdlib.h>
struct solver {
  int n;
  size_t global, local;
  cl_kernel k;
  cl_mem matrix, state;
  cl_command_queue q;
};
static cl_mem device_array(size_t bytes) {
  cl_int err;
  cl_mem m = clCreateBuffer(0, CL_MEM_READ_WRITE, bytes, NULL, &err);
  if (err != CL_SUCCESS) exit(1);
  return m;
}
solver *make_solver(int n) {
  solver *s = calloc(1, sizeof(*s));
  s->n = n;
  s->local = 128;
  s->global = (n + 127) / 128 * 128;
  s->k = clCreateKernel(0, "advance", NULL);
  s->matrix = device_array(n * n * sizeof(float));
  s->state = device_array(n * sizeof(float));
  clSetKernelArg(s->k, 0, sizeof(cl_mem), &s->matrix);
  clSetKernelArg(s->k, 3, sizeof(int), &s->n);
  return s;
}
cl_mem state_of(solver *s) { return s->state; }
void step(solver *s, cl_mem x, float t) {
  clSetKernelArg(s->k, 1, sizeof(cl_mem), &x);
  clSetKernelArg(s->k, 2, sizeof(float), &t);
  clEnqueueNDRangeKernel(s->q, s->k, 1, NULL, &s->global, &s->local, 0, NULL, NULL);
}
