#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class ClError : public std::runtime_error {
 public:
  ClError(const std::string& what, cl_int code) : std::runtime_error(what + " (" + std::to_string(code) + ")") {}
};

/// Memory on the device; copies share it.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(cl_mem memory, std::size_t bytes) : memory_(memory, clReleaseMemObject), bytes_(bytes) {}
  cl_mem get() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<_cl_mem> memory_;
  std::size_t bytes_ = 0;
};

class DeviceContext {
 public:
  DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;
  ~DeviceContext();

  template <typename T>
  DeviceBuffer copy_of(const std::vector<T>& values) {
    DeviceBuffer buffer = allocate(values.size() * sizeof(T));
    write(buffer, values.data());
    return buffer;
  }
  template <typename T>
  std::vector<T> read(const DeviceBuffer& buffer) {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    read_bytes(buffer, values.data());
    return values;
  }
  DeviceBuffer allocate(std::size_t bytes);
  void fill_with_nan(const DeviceBuffer& buffer);

  cl_program build(const std::vector<std::string>& files);
  double run(cl_kernel kernel, std::size_t items);

 private:
  void write(const DeviceBuffer& buffer, const void* data);
  void read_bytes(const DeviceBuffer& buffer, void* data);

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

/// A kernel with arguments that are given one after the other.
class KernelCall {
 public:
  KernelCall(cl_program program, const char* name);
  KernelCall(const KernelCall&) = delete;
  KernelCall& operator=(const KernelCall&) = delete;
  ~KernelCall();

  KernelCall& operator<<(const DeviceBuffer& buffer);
  template <typename T>
  KernelCall& operator<<(const T& value) {
    return add(&value, sizeof value);
  }
  cl_kernel get() const { return kernel_; }

 private:
  KernelCall& add(const void* value, std::size_t size);

  cl_kernel kernel_ = nullptr;
  cl_uint next_ = 0;
};
