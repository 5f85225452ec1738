// s = A^T r and q = A p, the two products of a step of the biconjugate gradient method.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>

#include "gpu.hpp"

static std::vector<float> random_values(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(count);
  for (auto& value : values) value = uniform(engine);
  return values;
}

static bool differs(double expected, float found, int terms) {
  return !(std::fabs(expected - found) <= 1e-5 * (terms + std::fabs(expected)));
}

int main(int argc, char** argv) {
  int n = 3584;
  if (argc > 1) n = std::atoi(argv[1]);
  const int nx = n, ny = n;
  if (n < 1 || n > 16384) return 2;
  const float unset = std::numeric_limits<float>::quiet_NaN();
  const auto a = random_values(static_cast<size_t>(nx) * ny, 1), r = random_values(nx, 2), p = random_values(ny, 3);
  std::vector<float> s(ny, unset), q(nx, unset);
  try {
    Gpu gpu("bicg.cl");
    cl_mem a_memory = gpu.upload(a), r_memory = gpu.upload(r), p_memory = gpu.upload(p);
    cl_mem s_memory = gpu.upload(s), q_memory = gpu.upload(q);
    cl_kernel columns = gpu.kernel("bicg_columns");
    cl_kernel rows = gpu.kernel("bicg_rows");
    clSetKernelArg(columns, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(columns, 1, sizeof(cl_mem), &r_memory);
    clSetKernelArg(columns, 2, sizeof(cl_mem), &s_memory);
    clSetKernelArg(columns, 3, sizeof(int), &nx);
    clSetKernelArg(columns, 4, sizeof(int), &ny);
    clSetKernelArg(rows, 0, sizeof(cl_mem), &a_memory);
    clSetKernelArg(rows, 1, sizeof(cl_mem), &p_memory);
    clSetKernelArg(rows, 2, sizeof(cl_mem), &q_memory);
    clSetKernelArg(rows, 3, sizeof(int), &nx);
    clSetKernelArg(rows, 4, sizeof(int), &ny);
    gpu.launch(columns, ny, 256);
    gpu.launch(rows, nx, 256);
    s = gpu.download(s_memory, ny);
    q = gpu.download(q_memory, nx);
    for (cl_mem memory : {a_memory, r_memory, p_memory, s_memory, q_memory}) clReleaseMemObject(memory);
    clReleaseKernel(columns);
    clReleaseKernel(rows);
    std::cout << "kernel_ms " << gpu.kernel_ms() << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }

  std::vector<double> es(ny, 0.0);
  long wrong = 0;
  for (int i = 0; i < nx; ++i) {
    double eq = 0;
    for (int j = 0; j < ny; ++j) {
      const double value = a[static_cast<size_t>(i) * ny + j];
      eq += value * p[j];
      es[j] += value * r[i];
    }
    wrong += differs(eq, q[i], ny);
  }
  for (int j = 0; j < ny; ++j) wrong += differs(es[j], s[j], nx);
  std::cout << "check " << (wrong ? "FAILED" : "OK") << '\n';
  return wrong ? 1 : 0;
}
