#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// The first OpenCL device, with a queue that measures.
struct Gpu {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Gpu();
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  cl_program build(const char* source) const;
};

// Throws std::runtime_error when an OpenCL call has failed.
void require(cl_int status, const char* what);
// Milliseconds between start and end of the command behind the event.
double elapsed(cl_event event);
