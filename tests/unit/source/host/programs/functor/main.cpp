#include <CL/opencl.hpp>
#include <vector>
int main() {
  int n = 1 << 20;
  cl::Context context(CL_DEVICE_TYPE_DEFAULT);
  cl::CommandQueue queue(context);
  cl::Program program(context, "kernel void add(global float* a, global float* b, int n) {}", true);
  cl::Buffer a(context, CL_MEM_READ_ONLY, sizeof(float) * n);
  cl::Buffer b(context, CL_MEM_WRITE_ONLY, sizeof(float) * n);
  cl::KernelFunctor<cl::Buffer, cl::Buffer, int> add(program, "add");
  add(cl::EnqueueArgs(queue, cl::NDRange(n), cl::NDRange(64)), a, b, n);
  add(cl::EnqueueArgs(queue, cl::NDRange(n)), b, a, n);
  return 0;
}
