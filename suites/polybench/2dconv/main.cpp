#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

#include "image.hpp"
#include "kernel.hpp"

static void require(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::cerr << what << " failed: " << status << '\n';
  std::exit(2);
}

int main(int argc, char** argv) {
  int n = 4096;
  if (argc > 1) n = std::atoi(argv[1]);
  const int ni = n, nj = n, rounds = 3;
  if (n < 3 || n > 16384) {
    std::cerr << "usage: 2dconv [size]\n";
    return 2;
  }
  std::vector<float> in = noisy_image(ni, nj);
  std::vector<float> out(in.size(), std::numeric_limits<float>::quiet_NaN());

  cl_int status = CL_SUCCESS;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  require(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  require(status, "clCreateCommandQueue");
  const char* text = conv2d_source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  require(status, "clCreateProgramWithSource");
  require(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr), "clBuildProgram");
  cl_kernel conv = clCreateKernel(program, "conv2d", &status);
  require(status, "clCreateKernel");

  cl_mem in_memory = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, ni * nj * sizeof(float), in.data(), &status);
  require(status, "clCreateBuffer");
  cl_mem out_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ni * nj * sizeof(float), out.data(), &status);
  require(status, "clCreateBuffer");
  clSetKernelArg(conv, 0, sizeof(cl_mem), &in_memory);
  clSetKernelArg(conv, 1, sizeof(cl_mem), &out_memory);
  clSetKernelArg(conv, 2, sizeof(int), &ni);
  clSetKernelArg(conv, 3, sizeof(int), &nj);

  size_t local[2] = {32, 8};
  size_t global[2] = {(nj + local[0] - 1) / local[0] * local[0], (ni + local[1] - 1) / local[1] * local[1]};
  double milliseconds = 0;
  for (int t = 0; t < rounds; ++t) {
    cl_event done = nullptr;
    require(clEnqueueNDRangeKernel(queue, conv, 2, nullptr, global, local, 0, nullptr, &done), "clEnqueueNDRangeKernel");
    require(clWaitForEvents(1, &done), "clWaitForEvents");
    cl_ulong start = 0, end = 0;
    require(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr), "clGetEventProfilingInfo");
    require(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr), "clGetEventProfilingInfo");
    milliseconds += static_cast<double>(end - start) * 1e-6;
    clReleaseEvent(done);
  }
  require(clEnqueueReadBuffer(queue, out_memory, CL_TRUE, 0, ni * nj * sizeof(float), out.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");

  const long wrong = count_wrong(in, out, ni, nj);
  std::cout << "kernel_ms " << milliseconds << '\n' << "check " << (wrong == 0 ? "OK" : "FAILED") << '\n';
  clReleaseMemObject(in_memory);
  clReleaseMemObject(out_memory);
  clReleaseKernel(conv);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return wrong == 0 ? 0 : 1;
}
