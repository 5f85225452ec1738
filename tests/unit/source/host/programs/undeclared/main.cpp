#include <CL/cl.h>
#include "not_there.h"
using namespace missing;
int main() {
  Options options = parse();
  Timer timer("all");
  int n = 100;
  SAFE(clGetPlatformIDs(0, 0, 0));
  cl_kernel k = clCreateKernel(program, "f", nullptr);
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY, n * 4, nullptr, nullptr);
  SAFE(clSetKernelArg(k, 0, sizeof(cl_mem), &a));
  size_t global = n;
  SAFE(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  timer.stop();
}
