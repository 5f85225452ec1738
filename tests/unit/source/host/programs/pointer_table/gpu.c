#include "backend.h"
#include <CL/cl.h>
#include <stdlib.h>
struct device {
  cl_context context;
  cl_command_queue queue;
  cl_kernel scale;
};
static int gpu_open(struct backend *self) {
  const char *text = "__kernel void scale(__global float *a, float by, int n) { int i = get_global_id(0); if (i < n) a[i] *= by; }";
  struct device *d = calloc(1, sizeof *d);
  cl_device_id id;
  if (clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS) return -1;
  d->context = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
  d->queue = clCreateCommandQueue(d->context, id, 0, NULL);
  cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, NULL);
  if (clBuildProgram(program, 1, &id, NULL, NULL, NULL) != CL_SUCCESS) return -1;
  d->scale = clCreateKernel(program, "scale", NULL);
  self->own = d;
  return 0;
}
static void *gpu_take(struct backend *self, const float *data, int n) {
  struct device *d = self->own;
  return clCreateBuffer(d->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * sizeof *data, (void *)data, NULL);
}
static void gpu_scale(struct backend *self, void *data, float by, int n) {
  struct device *d = self->own;
  cl_mem buffer = data;
  size_t local = 64, global = (n + 63) / 64 * 64;
  clSetKernelArg(d->scale, 0, sizeof buffer, &buffer);
  clSetKernelArg(d->scale, 1, sizeof by, &by);
  clSetKernelArg(d->scale, 2, sizeof n, &n);
  clEnqueueNDRangeKernel(d->queue, d->scale, 1, NULL, &global, &local, 0, NULL, NULL);
}
struct backend gpu = {.open = gpu_open, .take = gpu_take, .scale = gpu_scale};
