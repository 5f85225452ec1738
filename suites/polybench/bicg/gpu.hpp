#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <string>
#include <vector>

void require(cl_int status, const std::string& what);

/// A context with its queue and the program of one source file; released with the object.
class Gpu {
 public:
  explicit Gpu(const std::string& path);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  cl_kernel kernel(const char* name) const;
  cl_mem upload(const std::vector<float>& values) const;
  std::vector<float> download(cl_mem memory, size_t count) const;
  void launch(cl_kernel kernel, size_t items, size_t group);
  double kernel_ms() const { return kernel_ms_; }

 private:
  cl_device_id device_;
  cl_context context_;
  cl_command_queue queue_;
  cl_program program_;
  double kernel_ms_ = 0;
};
