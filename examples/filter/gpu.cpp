#include "gpu.hpp"

#include <stdexcept>
#include <string>

void require(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(what) + " failed with OpenCL error " + std::to_string(status));
}

Gpu::Gpu() {
  cl_platform_id platform = nullptr;
  cl_int status = CL_SUCCESS;
  require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  require(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  require(status, "clCreateCommandQueue");
}

Gpu::~Gpu() {
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

cl_program Gpu::build(const char* source) const {
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  require(status, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string log(16384, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw std::runtime_error("the kernel does not build:\n" + log);
  }
  return program;
}

double elapsed(cl_event event) {
  cl_ulong start = 0, end = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
  return static_cast<double>(end - start) / 1e6;
}
