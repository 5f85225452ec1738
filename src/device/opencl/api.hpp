#pragma once
// OpenCL's functions, found at run time: hone-worker starts on machines that have no OpenCL at all.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>

namespace hone::device {

// One line per function that is used.
// clang-format off
#define HONE_OPENCL_FUNCTIONS(X) \
  X(clGetPlatformIDs) \
  X(clGetPlatformInfo) \
  X(clGetDeviceIDs) \
  X(clGetDeviceInfo) \
  X(clCreateContext) \
  X(clReleaseContext) \
  X(clCreateCommandQueue) \
  X(clReleaseCommandQueue) \
  X(clCreateProgramWithSource) \
  X(clBuildProgram) \
  X(clGetProgramBuildInfo) \
  X(clReleaseProgram) \
  X(clCreateKernelsInProgram) \
  X(clCreateKernel) \
  X(clReleaseKernel) \
  X(clGetKernelInfo) \
  X(clGetKernelWorkGroupInfo) \
  X(clSetKernelArg) \
  X(clCreateBuffer) \
  X(clCreateSubBuffer) \
  X(clCreateImage) \
  X(clCreateSampler) \
  X(clReleaseSampler) \
  X(clReleaseMemObject) \
  X(clEnqueueNDRangeKernel) \
  X(clEnqueueReadBuffer) \
  X(clEnqueueMapBuffer) \
  X(clEnqueueUnmapMemObject) \
  X(clEnqueueWriteBuffer) \
  X(clEnqueueCopyBuffer) \
  X(clEnqueueReadImage) \
  X(clEnqueueWriteImage) \
  X(clEnqueueCopyImage) \
  X(clFinish) \
  X(clReleaseEvent) \
  X(clGetEventProfilingInfo) \
  X(clGetEventInfo)
// clang-format on

struct OpenCl {
#define HONE_DECLARE(name) decltype(&::name) name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  HONE_OPENCL_FUNCTIONS(HONE_DECLARE)
#undef HONE_DECLARE
};

/// Loaded once per process; null when libOpenCL.so.1 or one of its functions is missing.
const OpenCl* opencl();
/// "CL_OUT_OF_RESOURCES (-5)"
std::string status_name(cl_int status);

}  // namespace hone::device
