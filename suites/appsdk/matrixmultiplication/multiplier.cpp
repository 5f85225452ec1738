#include "multiplier.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

constexpr int tile = 16;

void ensure(cl_int code, const std::string& what) {
  if (code != CL_SUCCESS) throw std::runtime_error(what + " gave " + std::to_string(code));
}

std::string contents_of(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot open ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t whole_tiles(int size) { return static_cast<std::size_t>(size + tile - 1) / tile * tile; }

}  // namespace

Multiplier::Multiplier() {
  cl_platform_id platform = nullptr;
  ensure(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  ensure(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
  cl_int code = CL_SUCCESS;
  context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
  ensure(code, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code));
  ensure(code, "clCreateCommandQueue");

  const std::string text = contents_of("matmul.cl");
  const char* source = text.c_str();
  program_.reset(clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &code));
  ensure(code, "clCreateProgramWithSource");
  std::ostringstream options;
  options << "-D TILE=" << tile;
  ensure(clBuildProgram(program_.get(), 1, &device_, options.str().c_str(), nullptr, nullptr), "clBuildProgram");
  kernel_.reset(clCreateKernel(program_.get(), "matrix_multiply", &code));
  ensure(code, "clCreateKernel");
}

Handle<cl_mem> Multiplier::upload(const Matrix& matrix) const {
  cl_int code = CL_SUCCESS;
  Handle<cl_mem> memory(clCreateBuffer(context_.get(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, matrix.bytes(),
                                       const_cast<float*>(matrix.values.data()), &code));
  ensure(code, "clCreateBuffer");
  return memory;
}

double Multiplier::multiply(const Matrix& a, const Matrix& b, Matrix& c) {
  const Handle<cl_mem> a_memory = upload(a), b_memory = upload(b);
  std::fill(c.values.begin(), c.values.end(), NAN);
  cl_int code = CL_SUCCESS;
  const Handle<cl_mem> c_memory(
      clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, c.bytes(), c.values.data(), &code));
  ensure(code, "clCreateBuffer");

  cl_uint index = 0;
  for (cl_mem memory : {a_memory.get(), b_memory.get(), c_memory.get()})
    ensure(clSetKernelArg(kernel_.get(), index++, sizeof memory, &memory), "clSetKernelArg");
  for (int size : {c.rows, c.columns, a.columns})
    ensure(clSetKernelArg(kernel_.get(), index++, sizeof size, &size), "clSetKernelArg");

  const std::size_t local[2] = {tile, tile};
  const std::size_t global[2] = {whole_tiles(c.columns), whole_tiles(c.rows)};
  cl_event raw_event = nullptr;
  ensure(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), 2, nullptr, global, local, 0, nullptr, &raw_event),
         "clEnqueueNDRangeKernel");
  const Handle<cl_event> event(raw_event);
  ensure(clEnqueueReadBuffer(queue_.get(), c_memory.get(), CL_TRUE, 0, c.bytes(), c.values.data(), 0, nullptr, nullptr),
         "clEnqueueReadBuffer");
  cl_ulong start = 0, end = 0;
  ensure(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "profile");
  ensure(clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profile");
  return static_cast<double>(end - start) / 1e6;
}
