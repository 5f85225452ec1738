#include "device.hpp"

namespace {

void demand(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw ClError(call, code);
}

constexpr std::size_t group_size = 64;

}  // namespace

Device::Device(const char* source) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  demand(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  demand(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  demand(code, "clCreateContext");
  queue_ = clCreateCommandQueue(context_, device, CL_QUEUE_PROFILING_ENABLE, &code);
  demand(code, "clCreateCommandQueue");
  program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &code);
  demand(code, "clCreateProgramWithSource");
  demand(clBuildProgram(program_, 1, &device, nullptr, nullptr, nullptr), "clBuildProgram");
}

Device::~Device() {
  clReleaseProgram(program_);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

void Device::launch(cl_kernel kernel, std::size_t items) {
  const std::size_t local = group_size;
  const std::size_t global = (items + local - 1) / local * local;
  cl_event event;
  cl_ulong start, end;
  demand(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, &event), "clEnqueueNDRangeKernel");
  demand(clWaitForEvents(1, &event), "clWaitForEvents");
  demand(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "clGetEventProfilingInfo");
  demand(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "clGetEventProfilingInfo");
  clReleaseEvent(event);
  kernel_ms_ += static_cast<double>(end - start) * 1e-6;
}

FloatBuffer::FloatBuffer(Device& device, const std::vector<float>& values) : device_(device), count_(values.size()) {
  cl_int code;
  memory_ = clCreateBuffer(device.context(), CL_MEM_READ_WRITE, count_ * sizeof(float), nullptr, &code);
  demand(code, "clCreateBuffer");
  demand(clEnqueueWriteBuffer(device.queue(), memory_, CL_TRUE, 0, count_ * sizeof(float), values.data(), 0, nullptr, nullptr),
         "clEnqueueWriteBuffer");
}

std::vector<float> FloatBuffer::read() const {
  std::vector<float> values(count_);
  demand(clEnqueueReadBuffer(device_.queue(), memory_, CL_TRUE, 0, count_ * sizeof(float), values.data(), 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
  return values;
}

Kernel::Kernel(Device& device, const char* name) : device_(device) {
  cl_int code;
  kernel_ = clCreateKernel(device.program(), name, &code);
  demand(code, "clCreateKernel");
}

void Kernel::set_raw(cl_uint index, std::size_t size, const void* value) {
  demand(clSetKernelArg(kernel_, index, size, value), "clSetKernelArg");
}
