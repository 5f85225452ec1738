// A three-dimensional convolution of a volume with fixed weights.

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "volume.hpp"

namespace {

template <auto Release>
struct Releaser {
  template <class T>
  void operator()(T* object) const { Release(object); }
};
template <class Handle, auto Release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Release>>;

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(status));
}

std::string build_options() {
  std::string options = "-cl-std=CL1.2";
  for (int w = 1; w <= 9; ++w) options += " -DW" + std::to_string(w) + "=" + std::to_string(weights[w]) + "f";
  return options;
}

double convolve(const Box& box, const std::vector<float>& in, std::vector<float>& out) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, nullptr), "device");
  Owned<cl_context, clReleaseContext> context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status));
  check(status, "context");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  Owned<cl_command_queue, clReleaseCommandQueue> queue(clCreateCommandQueueWithProperties(context.get(), device, properties, &status));
  check(status, "queue");

  std::ifstream file("conv3d.cl");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const char* pointer = text.c_str();
  const size_t length = text.size();
  Owned<cl_program, clReleaseProgram> program(clCreateProgramWithSource(context.get(), 1, &pointer, &length, &status));
  check(status, "program");
  check(clBuildProgram(program.get(), 1, &device, build_options().c_str(), nullptr, nullptr), "build");
  Owned<cl_kernel, clReleaseKernel> kernel(clCreateKernel(program.get(), "conv3d", &status));
  check(status, "kernel");

  const size_t bytes = box.cells() * sizeof(float);
  Owned<cl_mem, clReleaseMemObject> in_buffer(
      clCreateBuffer(context.get(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, const_cast<float*>(in.data()), &status));
  check(status, "input");
  Owned<cl_mem, clReleaseMemObject> out_buffer(
      clCreateBuffer(context.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, out.data(), &status));
  check(status, "output");

  const cl_mem in_handle = in_buffer.get(), out_handle = out_buffer.get();
  check(clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), &in_handle), "argument 0");
  check(clSetKernelArg(kernel.get(), 1, sizeof(cl_mem), &out_handle), "argument 1");
  check(clSetKernelArg(kernel.get(), 2, sizeof(int), &box.ni), "argument 2");
  check(clSetKernelArg(kernel.get(), 3, sizeof(int), &box.nj), "argument 3");
  check(clSetKernelArg(kernel.get(), 4, sizeof(int), &box.nk), "argument 4");
  const size_t local[3] = {32, 4, 1};
  const size_t global[3] = {(box.nk + local[0] - 1) / local[0] * local[0], (box.nj + local[1] - 1) / local[1] * local[1],
                            static_cast<size_t>(box.ni)};
  cl_event raw_event;
  check(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 3, nullptr, global, local, 0, nullptr, &raw_event), "launch");
  Owned<cl_event, clReleaseEvent> event(raw_event);
  check(clEnqueueReadBuffer(queue.get(), out_buffer.get(), CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr), "read");
  cl_ulong begin, end;
  check(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr), "profile");
  check(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profile");
  return static_cast<double>(end - begin) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  const Box box = box_from_arguments(argc, argv);
  const std::vector<float> in = smooth_noise(box);
  const std::vector<float> before(box.cells(), 1e30f);  // what the faces keep and no other cell may hold
  std::vector<float> out = before;
  try {
    std::printf("kernel_ms %.4f\n", convolve(box, in, out));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  const long wrong = count_wrong(box, in, before, out);
  std::puts(wrong ? "check FAILED" : "check OK");
  return wrong != 0;
}
