#include <CL/cl.h>
void use(int v);
int main(void) {
  cl_context context = 0;
  cl_command_queue queue = 0;
  cl_program program = 0;
  int l = 64;
  {
    int l = 128;
    use(l);
  }
  size_t loc = l;
  size_t glob = 4096;
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem data = clCreateBuffer(context, CL_MEM_READ_WRITE, glob * sizeof(float), NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &data);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &glob, &loc, 0, NULL, NULL);
  return 0;
}
