#include "device.hpp"

#include <fstream>
#include <limits>
#include <sstream>

static void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw ClError(what, code);
}

DeviceContext::DeviceContext() {
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "no device");
  cl_int code = CL_SUCCESS;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
  check(code, "no context");
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "no queue");
}

DeviceContext::~DeviceContext() {
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

DeviceBuffer DeviceContext::allocate(std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "no memory");
  return {memory, bytes};
}

void DeviceContext::write(const DeviceBuffer& buffer, const void* data) {
  check(clEnqueueWriteBuffer(queue_, buffer.get(), CL_TRUE, 0, buffer.bytes(), data, 0, nullptr, nullptr), "write");
}

void DeviceContext::read_bytes(const DeviceBuffer& buffer, void* data) {
  check(clEnqueueReadBuffer(queue_, buffer.get(), CL_TRUE, 0, buffer.bytes(), data, 0, nullptr, nullptr), "read");
}

void DeviceContext::fill_with_nan(const DeviceBuffer& buffer) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check(clEnqueueFillBuffer(queue_, buffer.get(), &nan, sizeof nan, 0, buffer.bytes(), 0, nullptr, nullptr), "fill");
}

cl_program DeviceContext::build(const std::vector<std::string>& files) {
  std::vector<std::string> texts;
  for (const std::string& name : files) {
    std::ifstream file(name);
    if (!file) throw std::runtime_error("cannot read " + name);
    std::ostringstream text;
    text << file.rdbuf();
    texts.push_back(text.str());
  }
  std::vector<const char*> sources;
  for (const std::string& text : texts) sources.push_back(text.c_str());

  cl_int code = CL_SUCCESS;
  cl_program program =
      clCreateProgramWithSource(context_, static_cast<cl_uint>(sources.size()), sources.data(), nullptr, &code);
  check(code, "no program");
  code = clBuildProgram(program, 1, &device_, "", nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::string log(1 << 14, ' ');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw ClError(log, code);
  }
  return program;
}

double DeviceContext::run(cl_kernel kernel, std::size_t items) {
  constexpr std::size_t group = 128;
  const std::size_t global = (items + group - 1) / group * group;
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &group, 0, nullptr, &event), "launch");
  check(clWaitForEvents(1, &event), "wait");
  cl_ulong start = 0, end = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "profile");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profile");
  clReleaseEvent(event);
  return static_cast<double>(end - start) * 1e-6;
}

KernelCall::KernelCall(cl_program program, const char* name) {
  cl_int code = CL_SUCCESS;
  kernel_ = clCreateKernel(program, name, &code);
  check(code, name);
}

KernelCall::~KernelCall() { clReleaseKernel(kernel_); }

KernelCall& KernelCall::add(const void* value, std::size_t size) {
  check(clSetKernelArg(kernel_, next_++, size, value), "argument");
  return *this;
}

KernelCall& KernelCall::operator<<(const DeviceBuffer& buffer) {
  const cl_mem memory = buffer.get();
  return add(&memory, sizeof memory);
}
