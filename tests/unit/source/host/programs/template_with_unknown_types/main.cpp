#include <CL/cl.h>
#include <cstddef>
#include <string>
template <class T>
void gemm(cl_program program, cl_command_queue queue, Options &options) {
  cl_kernel kernel = clCreateKernel(program, "gemm", nullptr);
  T alpha = 2, shift = 1;
  shift += 3;
  clSetKernelArg(kernel, 0, sizeof(T), (void *)&alpha);
  clSetKernelArg(kernel, 1, sizeof(T), (void *)&shift);
  size_t global[2] = {512, 512}, local[2] = {16, 4};
  clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr);
}
void benchmark(cl_program program, cl_command_queue queue, Options &options) {
  if (options.wanted("single")) gemm<float>(program, queue, options);
}
