// The OpenCL objects of this program, each released by its owner.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

inline void require(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(code));
}

template <typename Handle, cl_int (*release)(Handle)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_) release(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Buffer = Owned<cl_mem, clReleaseMemObject>;
using Kernel = Owned<cl_kernel, clReleaseKernel>;

class Device {
 public:
  explicit Device(const std::string& source_file);

  Kernel kernel(const char* name) const;
  Buffer input(const std::vector<float>& values) const;
  Buffer output(std::size_t count) const;
  void poison(const Buffer& buffer, std::size_t count) const;
  void read(const Buffer& buffer, std::vector<float>& values) const;

  /// Runs the kernel over groups * items work-items and returns the milliseconds it took on the device.
  double run(const Kernel& kernel, std::size_t groups, std::size_t items) const;

 private:
  cl_device_id device_ = nullptr;
  Owned<cl_context, clReleaseContext> context_;
  Owned<cl_command_queue, clReleaseCommandQueue> queue_;
  Owned<cl_program, clReleaseProgram> program_;
};
