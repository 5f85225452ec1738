#pragma once
#include <CL/opencl.hpp>
#include <string>
/// One device, and kernels that take their arguments when they are made.
class Runner {
 public:
  explicit Runner(const std::string &text) : context_(CL_DEVICE_TYPE_ALL), queue_(context_), program_(context_, text) {
    program_.build("");
  }
  cl::Buffer buffer(size_t bytes) { return cl::Buffer(context_, CL_MEM_READ_WRITE, bytes); }
  template <class... T>
  void run(const std::string &name, size_t n, const T &...arguments) {
    cl::Kernel kernel(program_, name.c_str());
    cl_uint position = 0;
    (kernel.setArg(position++, arguments), ...);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange((n + 63) / 64 * 64), cl::NDRange(64));
  }

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Program program_;
};
