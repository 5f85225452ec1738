#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "plate.hpp"

static double time_of(const cl::Event& event) {
  event.wait();
  return (event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>()) * 1e-6;
}

int main(int argc, char** argv) {
  int n = 1280;
  if (argc > 1) n = std::atoi(argv[1]);
  const int steps = 20;
  if (n < 3 || n > 8192) {
    std::cerr << "usage: jacobi2d [size]\n";
    return 2;
  }
  std::vector<float> a = random_plate(n, 1), b = random_plate(n, 2), out(a);
  double ms = 0;
  try {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    cl::Context context(devices);
    cl::CommandQueue queue(context, devices.at(0), CL_QUEUE_PROFILING_ENABLE);
    std::ifstream file("jacobi2d.cl");
    std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    cl::Program program(context, source);
    program.build(devices);
    cl::Kernel step(program, "jacobi_step");
    cl::Kernel copy(program, "jacobi_copy");
    cl::Buffer a_memory(context, CL_MEM_READ_WRITE, n * n * sizeof(float));
    cl::Buffer b_memory(context, CL_MEM_READ_WRITE, n * n * sizeof(float));
    queue.enqueueWriteBuffer(a_memory, CL_TRUE, 0, n * n * sizeof(float), a.data());
    queue.enqueueWriteBuffer(b_memory, CL_TRUE, 0, n * n * sizeof(float), b.data());
    step.setArg(0, a_memory);
    step.setArg(1, b_memory);
    step.setArg(2, n);
    copy.setArg(0, a_memory);
    copy.setArg(1, b_memory);
    copy.setArg(2, n);
    const cl::NDRange global((n + 31) / 32 * 32, (n + 7) / 8 * 8), local(32, 8);
    for (int t = 0; t < steps; ++t) {
      cl::Event stepped, copied;
      queue.enqueueNDRangeKernel(step, cl::NullRange, global, local, nullptr, &stepped);
      queue.enqueueNDRangeKernel(copy, cl::NullRange, global, local, nullptr, &copied);
      ms += time_of(stepped) + time_of(copied);
    }
    queue.enqueueReadBuffer(a_memory, CL_TRUE, 0, n * n * sizeof(float), out.data());
  } catch (const cl::Error& error) {
    std::cerr << error.what() << ": " << error.err() << "\n";
    return 2;
  }
  const long wrong = count_wrong(a, out, n, steps);
  std::cout << "kernel_ms " << ms << "\ncheck " << (wrong ? "FAILED" : "OK") << "\n";
  return wrong ? 1 : 0;
}
