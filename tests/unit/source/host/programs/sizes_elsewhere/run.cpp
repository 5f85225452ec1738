#include "run.hpp"

#include <CL/cl.h>

void run(const Options& options, const std::vector<float>& values, const std::vector<float>& mixed) {
  cl_kernel kernel = clCreateKernel(nullptr, "blur", nullptr);
  cl_mem data = clCreateBuffer(nullptr, CL_MEM_READ_WRITE, values.size() * sizeof(float), nullptr, nullptr);
  cl_mem table = clCreateBuffer(nullptr, CL_MEM_READ_ONLY, mixed.size() * sizeof(float), nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof data, &data);
  clSetKernelArg(kernel, 1, sizeof table, &table);
  const size_t global[2] = {static_cast<size_t>(options.width), static_cast<size_t>(options.height)};
  clEnqueueNDRangeKernel(nullptr, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr);
}
