#include <CL/cl.h>
#include <stdlib.h>
const char *text = "__kernel void touch(__global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = i; }";
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100000;
  cl_device_id device;
  size_t most, local = 512, global, multiple;
  clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  clBuildProgram(program, 1, &device, NULL, NULL, NULL);
  cl_kernel touch = clCreateKernel(program, "touch", NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(int), NULL, NULL);
  clSetKernelArg(touch, 0, sizeof a, &a);
  clSetKernelArg(touch, 1, sizeof n, &n);
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  if (most < 16) exit(1);
  if (local > most) local = most;
  global = (n + local - 1) / local * local;
  clEnqueueNDRangeKernel(queue, touch, 1, NULL, &global, &local, 0, NULL, NULL);
  local = 128;
  if (most > 64) local = 64;
  clEnqueueNDRangeKernel(queue, touch, 1, NULL, &global, &local, 0, NULL, NULL);
  clGetKernelWorkGroupInfo(touch, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple, NULL);
  local = n > 1000 ? multiple * 2 : 8;
  clEnqueueNDRangeKernel(queue, touch, 1, NULL, &global, &local, 0, NULL, NULL);
  return 0;
}
