#pragma once
#include <CL/cl.h>
#include <map>
#include <string>
struct Scratch {
  size_t bytes;
};
class Gpu {
 public:
  template <class... Args>
  void call(const char* name, size_t global, size_t local, const Args&... args) {
    cl_kernel k = kernel(name);
    unsigned i = 0;
    (set(k, i++, args), ...);
    clEnqueueNDRangeKernel(queue_, k, 1, nullptr, &global, &local, 0, nullptr, nullptr);
  }
 private:
  cl_kernel kernel(const std::string& name) {
    auto it = kernels_.find(name);
    if (it == kernels_.end()) it = kernels_.emplace(name, clCreateKernel(program_, name.c_str(), nullptr)).first;
    return it->second;
  }
  void set(cl_kernel k, unsigned i, const Scratch& s) { clSetKernelArg(k, i, s.bytes, nullptr); }
  template <class T>
  void set(cl_kernel k, unsigned i, const T& value) { clSetKernelArg(k, i, sizeof(T), &value); }
  std::map<std::string, cl_kernel> kernels_;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};
