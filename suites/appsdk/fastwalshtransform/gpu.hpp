// A home-made layer: gpu.run("kernel", range, a, b, c) sets the arguments in order and waits for the kernel.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

struct Range {
  std::size_t global;
};

template <typename T>
class Array {
 public:
  Array(cl_context context, std::size_t size) : size_(size) {
    cl_int code = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE, size * sizeof(T), nullptr, &code);
    if (code != CL_SUCCESS) throw std::runtime_error("no memory on the device");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { clReleaseMemObject(memory_); }

  cl_mem memory() const { return memory_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  std::size_t size_;
  cl_mem memory_ = nullptr;
};

class Gpu {
 public:
  explicit Gpu(const char* source);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  cl_context context() const { return context_; }

  template <typename T>
  void write(const Array<T>& array, const std::vector<T>& values) {
    check(clEnqueueWriteBuffer(queue_, array.memory(), CL_TRUE, 0, array.bytes(), values.data(), 0, nullptr, nullptr));
  }

  template <typename T>
  void read(const Array<T>& array, std::vector<T>& values) {
    check(clEnqueueReadBuffer(queue_, array.memory(), CL_TRUE, 0, array.bytes(), values.data(), 0, nullptr, nullptr));
  }

  template <typename... Arguments>
  double run(const char* name, Range range, const Arguments&... arguments) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &code);
    check(code);
    cl_uint index = 0;
    (set(kernel, index++, arguments), ...);
    const double ms = launch(kernel, range);
    clReleaseKernel(kernel);
    return ms;
  }

 private:
  template <typename T>
  static void set(cl_kernel kernel, cl_uint index, const Array<T>& array) {
    const cl_mem memory = array.memory();
    check(clSetKernelArg(kernel, index, sizeof memory, &memory));
  }
  template <typename T>
  static void set(cl_kernel kernel, cl_uint index, const T& value) {
    check(clSetKernelArg(kernel, index, sizeof value, &value));
  }
  static void check(cl_int code) {
    if (code != CL_SUCCESS) throw std::runtime_error("OpenCL error " + std::to_string(code));
  }
  double launch(cl_kernel kernel, Range range);

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};
