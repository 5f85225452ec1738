// G = (A B) (C D): one kernel, launched three times.

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>

#include "options.hpp"
#include "reference.hpp"

static std::string read_text(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

static Matrix random_matrix(int rows, int columns, std::mt19937& engine) {
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  Matrix values(static_cast<size_t>(rows) * columns);
  for (float& value : values) value = uniform(engine);
  return values;
}

static cl::NDRange padded(int columns, int rows) { return cl::NDRange((columns + 15) / 16 * 16, (rows + 15) / 16 * 16); }

static int run(const Sizes& s) {
  std::mt19937 engine(3);
  Matrix a = random_matrix(s.ni, s.nk, engine), b = random_matrix(s.nk, s.nj, engine);
  Matrix c = random_matrix(s.nj, s.nm, engine), d = random_matrix(s.nm, s.nl, engine);
  Matrix g(static_cast<size_t>(s.ni) * s.nl);

  cl::Context context(CL_DEVICE_TYPE_ALL);
  cl::CommandQueue queue(context);
  cl::Program program(context, read_text("3mm.cl"));
  program.build("-cl-std=CL1.2");
  cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, int, int, int> multiply(program, "mm3_multiply");

  cl::Buffer a_device(context, a.begin(), a.end(), true), b_device(context, b.begin(), b.end(), true);
  cl::Buffer c_device(context, c.begin(), c.end(), true), d_device(context, d.begin(), d.end(), true);
  cl::Buffer e_device(context, CL_MEM_READ_WRITE, sizeof(float) * s.ni * s.nj);
  cl::Buffer f_device(context, CL_MEM_READ_WRITE, sizeof(float) * s.nj * s.nl);
  cl::Buffer g_device(context, CL_MEM_READ_WRITE, sizeof(float) * s.ni * s.nl);
  const cl::NDRange group(16, 16);

  double milliseconds = 0;
  for (int round = 0; round < 2; ++round) {  // the first only warms up
    const float poison = std::numeric_limits<float>::quiet_NaN();
    queue.enqueueFillBuffer(e_device, poison, 0, sizeof(float) * s.ni * s.nj);
    queue.enqueueFillBuffer(f_device, poison, 0, sizeof(float) * s.nj * s.nl);
    queue.enqueueFillBuffer(g_device, poison, 0, sizeof(float) * s.ni * s.nl);
    queue.finish();
    const auto start = std::chrono::steady_clock::now();
    multiply(cl::EnqueueArgs(queue, padded(s.nj, s.ni), group), a_device, b_device, e_device, s.ni, s.nj, s.nk);
    multiply(cl::EnqueueArgs(queue, padded(s.nl, s.nj), group), c_device, d_device, f_device, s.nj, s.nl, s.nm);
    multiply(cl::EnqueueArgs(queue, padded(s.nl, s.ni), group), e_device, f_device, g_device, s.ni, s.nl, s.nj);
    queue.finish();
    milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  cl::copy(queue, g_device, g.begin(), g.end());

  const long wrong = count_wrong(s, a, b, c, d, g);
  std::cout << "kernel_ms " << milliseconds << "\ncheck " << (wrong ? "FAILED" : "OK") << "\n";
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const cl::Error& error) {
    std::cerr << error.what() << " failed with OpenCL error " << error.err() << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 2;
}
