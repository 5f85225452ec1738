#include "device.hpp"

#include <fstream>
#include <limits>
#include <sstream>

Device::Device(const std::string& source_file) {
  cl_platform_id platform = nullptr;
  require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");

  cl_int code = CL_SUCCESS;
  context_ = Owned<cl_context, clReleaseContext>(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
  require(code, "clCreateContext");
  queue_ = Owned<cl_command_queue, clReleaseCommandQueue>(
      clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code));
  require(code, "clCreateCommandQueue");

  std::ifstream file(source_file);
  if (!file) throw std::runtime_error("cannot read " + source_file);
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();
  const char* pointer = source.c_str();
  const std::size_t length = source.size();
  program_ =
      Owned<cl_program, clReleaseProgram>(clCreateProgramWithSource(context_.get(), 1, &pointer, &length, &code));
  require(code, "clCreateProgramWithSource");
  if (clBuildProgram(program_.get(), 1, &device_, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string log(8192, '\0');
    clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw std::runtime_error(log);
  }
}

Kernel Device::kernel(const char* name) const {
  cl_int code = CL_SUCCESS;
  Kernel made(clCreateKernel(program_.get(), name, &code));
  require(code, name);
  return made;
}

Buffer Device::input(const std::vector<float>& values) const {
  cl_int code = CL_SUCCESS;
  Buffer made(clCreateBuffer(context_.get(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(float),
                             const_cast<float*>(values.data()), &code));
  require(code, "clCreateBuffer");
  return made;
}

Buffer Device::output(std::size_t count) const {
  cl_int code = CL_SUCCESS;
  Buffer made(clCreateBuffer(context_.get(), CL_MEM_WRITE_ONLY, count * sizeof(float), nullptr, &code));
  require(code, "clCreateBuffer");
  return made;
}

void Device::poison(const Buffer& buffer, std::size_t count) const {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  require(
      clEnqueueFillBuffer(queue_.get(), buffer.get(), &nan, sizeof nan, 0, count * sizeof(float), 0, nullptr, nullptr),
      "clEnqueueFillBuffer");
}

void Device::read(const Buffer& buffer, std::vector<float>& values) const {
  require(clEnqueueReadBuffer(queue_.get(), buffer.get(), CL_TRUE, 0, values.size() * sizeof(float), values.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
}

double Device::run(const Kernel& kernel, std::size_t groups, std::size_t items) const {
  const std::size_t global = groups * items;
  cl_event event = nullptr;
  require(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &global, &items, 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
  Owned<cl_event, clReleaseEvent> owned(event);
  require(clWaitForEvents(1, &event), "clWaitForEvents");
  cl_ulong start = 0, end = 0;
  require(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "profiling");
  require(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profiling");
  return static_cast<double>(end - start) * 1e-6;
}
