#include <CL/cl.h>
#include <string.h>
const char *text =
    "__kernel void fill(__global int *a) { a[get_global_id(0)] = 1; }\n"
    "__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void sum(__global int *a) { a[0] += a[get_global_id(0)]; }\n";
int main(void) {
  cl_kernel kernels[4], sum = NULL;
  cl_uint count, i;
  cl_context context = clCreateContext(NULL, 1, NULL, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, NULL, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
  size_t global = 1024, local = 32;
  clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
  clCreateKernelsInProgram(program, 4, kernels, &count);
  for (i = 0; i < count; i++) {
    char name[32];
    clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    if (strcmp(name, "sum") == 0) sum = kernels[i];
  }
  clSetKernelArg(sum, 0, sizeof a, &a);
  clEnqueueNDRangeKernel(queue, sum, 1, NULL, &global, &local, 0, NULL, NULL);
  clCreateKernelsInProgram(program, 4, kernels, NULL);
  clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &global, NULL, 0, NULL, NULL);
  return 0;
}
