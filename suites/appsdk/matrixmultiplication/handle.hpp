// Every OpenCL object of this program in a unique_ptr that releases it.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <memory>
#include <type_traits>

struct Release {
  void operator()(cl_context context) const { clReleaseContext(context); }
  void operator()(cl_command_queue queue) const { clReleaseCommandQueue(queue); }
  void operator()(cl_program program) const { clReleaseProgram(program); }
  void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
  void operator()(cl_mem memory) const { clReleaseMemObject(memory); }
  void operator()(cl_event event) const { clReleaseEvent(event); }
};

template <typename Object>
using Handle = std::unique_ptr<std::remove_pointer_t<Object>, Release>;
