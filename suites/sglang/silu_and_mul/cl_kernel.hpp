// kernel(range, arguments...): a compiled kernel is called like a function.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace ocl {

inline void must(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, code);
  std::exit(2);
}

struct Session {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Session() {
    cl_platform_id platform = nullptr;
    cl_int code = CL_SUCCESS;
    must(clGetPlatformIDs(1, &platform, nullptr), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    must(code, "context");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    must(code, "queue");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
};

class Tensor {
 public:
  Tensor(Session& session, const std::vector<float>& values) : session_(session), size_(values.size()) {
    cl_int code = CL_SUCCESS;
    memory_ = clCreateBuffer(session.context, CL_MEM_READ_WRITE, size_ * sizeof(float), nullptr, &code);
    must(code, "buffer");
    set(values);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() { clReleaseMemObject(memory_); }

  void set(const std::vector<float>& values) {
    must(clEnqueueWriteBuffer(session_.queue, memory_, CL_TRUE, 0, size_ * sizeof(float), values.data(), 0, nullptr,
                              nullptr),
         "write");
  }
  std::vector<float> get() const {
    std::vector<float> values(size_);
    must(clEnqueueReadBuffer(session_.queue, memory_, CL_TRUE, 0, size_ * sizeof(float), values.data(), 0, nullptr,
                             nullptr),
         "read");
    return values;
  }
  const cl_mem& memory() const { return memory_; }

 private:
  Session& session_;
  std::size_t size_;
  cl_mem memory_ = nullptr;
};

struct Range {
  std::size_t groups;
  std::size_t items;
};

class Kernel {
 public:
  Kernel(Session& session, const std::string& source, const char* name) : session_(session) {
    const char* text = source.c_str();
    cl_int code = CL_SUCCESS;
    program_ = clCreateProgramWithSource(session.context, 1, &text, nullptr, &code);
    must(code, "program");
    must(clBuildProgram(program_, 1, &session.device, "-cl-std=CL1.2", nullptr, nullptr), "build");
    kernel_ = clCreateKernel(program_, name, &code);
    must(code, name);
  }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel() {
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
  }

  /// Milliseconds on the device.
  template <typename... Arguments>
  double operator()(Range range, const Arguments&... arguments) {
    cl_uint position = 0;
    ((must(clSetKernelArg(kernel_, position, size_of(arguments), address_of(arguments)), "argument"), position++), ...);
    const std::size_t global = range.groups * range.items;
    cl_event event = nullptr;
    must(clEnqueueNDRangeKernel(session_.queue, kernel_, 1, nullptr, &global, &range.items, 0, nullptr, &event),
         "launch");
    must(clWaitForEvents(1, &event), "wait");
    cl_ulong start = 0, end = 0;
    must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "start");
    must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "end");
    clReleaseEvent(event);
    return (end - start) / 1e6;
  }

 private:
  static std::size_t size_of(const Tensor&) { return sizeof(cl_mem); }
  static const void* address_of(const Tensor& tensor) { return &tensor.memory(); }
  template <typename T>
  static std::size_t size_of(const T&) {
    return sizeof(T);
  }
  template <typename T>
  static const void* address_of(const T& value) {
    return &value;
  }

  Session& session_;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
};

}  // namespace ocl
