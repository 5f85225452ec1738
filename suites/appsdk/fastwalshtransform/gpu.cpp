#include "gpu.hpp"

Gpu::Gpu(const char* source) {
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr));
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr));
  cl_int code = CL_SUCCESS;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
  check(code);
  queue_ = clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code);
  program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &code);
  check(code);
  if (clBuildProgram(program_, 1, &device_, nullptr, nullptr, nullptr) != CL_SUCCESS) {
    char log[4096] = "";
    clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    throw std::runtime_error(log);
  }
}

Gpu::~Gpu() {
  clReleaseProgram(program_);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

double Gpu::launch(cl_kernel kernel, Range range) {
  cl_event event = nullptr;
  // the work-group's size is left to the device
  check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &range.global, nullptr, 0, nullptr, &event));
  check(clWaitForEvents(1, &event));
  cl_ulong start = 0, end = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr));
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr));
  clReleaseEvent(event);
  return static_cast<double>(end - start) * 1e-6;
}
