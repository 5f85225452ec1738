#pragma once

// One OpenCL device with a queue and a program; memory and kernels on it. What is made here is released here.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

class ClError : public std::runtime_error {
 public:
  ClError(const std::string& call, cl_int code) : std::runtime_error(call + " failed with OpenCL error " + std::to_string(code)) {}
};

class Device {
 public:
  explicit Device(const char* source);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  cl_context context() const { return context_; }
  cl_command_queue queue() const { return queue_; }
  cl_program program() const { return program_; }
  double kernel_ms() const { return kernel_ms_; }

  /// Launches, waits and adds the time the device measured.
  void launch(cl_kernel kernel, std::size_t items);

 private:
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  double kernel_ms_ = 0;
};

class FloatBuffer {
 public:
  FloatBuffer(Device& device, const std::vector<float>& values);
  ~FloatBuffer() { clReleaseMemObject(memory_); }
  FloatBuffer(const FloatBuffer&) = delete;
  FloatBuffer& operator=(const FloatBuffer&) = delete;

  std::vector<float> read() const;
  const cl_mem& handle() const { return memory_; }

 private:
  Device& device_;
  std::size_t count_;
  cl_mem memory_ = nullptr;
};

class Kernel {
 public:
  Kernel(Device& device, const char* name);
  ~Kernel() { clReleaseKernel(kernel_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  template <class... Arguments>
  void operator()(std::size_t items, const Arguments&... arguments) {
    cl_uint index = 0;
    (set(index++, arguments), ...);
    device_.launch(kernel_, items);
  }

 private:
  void set(cl_uint index, const FloatBuffer& buffer) { set_raw(index, sizeof(cl_mem), &buffer.handle()); }
  template <class Scalar>
  void set(cl_uint index, const Scalar& value) {
    set_raw(index, sizeof(Scalar), &value);
  }
  void set_raw(cl_uint index, std::size_t size, const void* value);

  Device& device_;
  cl_kernel kernel_ = nullptr;
};
