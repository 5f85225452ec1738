#include "gpu.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

void require(cl_int status, const std::string& what) {
  if (status != CL_SUCCESS) throw std::runtime_error(what + ": OpenCL error " + std::to_string(status));
}

Gpu::Gpu(const std::string& path) {
  std::ifstream file(path);
  std::stringstream buffer;
  buffer << file.rdbuf();
  const std::string source = buffer.str();
  if (source.empty()) throw std::runtime_error("cannot read " + path);
  const char* text = source.c_str();
  cl_platform_id platform;
  cl_int status;
  require(clGetPlatformIDs(1, &platform, nullptr), "platform");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "device");
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
  require(status, "context");
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &status);
  require(status, "queue");
  program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
  require(status, "program");
  require(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "build");
}

Gpu::~Gpu() {
  clReleaseProgram(program_);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

cl_kernel Gpu::kernel(const char* name) const {
  cl_int status;
  cl_kernel made = clCreateKernel(program_, name, &status);
  require(status, name);
  return made;
}

cl_mem Gpu::upload(const std::vector<float>& values) const {
  cl_int status;
  cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                                 const_cast<float*>(values.data()), &status);
  require(status, "buffer");
  return memory;
}

std::vector<float> Gpu::download(cl_mem memory, size_t count) const {
  std::vector<float> values(count);
  require(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, count * sizeof(float), values.data(), 0, nullptr, nullptr), "read");
  return values;
}

void Gpu::launch(cl_kernel kernel, size_t items, size_t group) {
  const size_t global = (items + group - 1) / group * group;
  cl_event event;
  cl_ulong begin, end;
  require(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &group, 0, nullptr, &event), "launch");
  require(clWaitForEvents(1, &event), "wait");
  require(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, nullptr), "profile");
  require(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr), "profile");
  clReleaseEvent(event);
  kernel_ms_ += static_cast<double>(end - begin) * 1e-6;
}
