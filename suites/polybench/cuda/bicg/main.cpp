// bicg [n [m [float|double]]]
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "bicg.h"

static void ok(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::cerr << "CUDA error: " << cudaGetErrorString(status) << '\n';
  std::exit(2);
}

template <typename Real>
std::vector<Real> wave(size_t count, double pitch, double offset) {
  std::vector<Real> v(count);
  for (size_t i = 0; i < count; ++i) v[i] = static_cast<Real>(std::sin(pitch * double(i) + offset) + 0.1);
  return v;
}

template <typename Real>
bool near(const std::vector<Real>& got, const std::vector<double>& exact, const std::vector<double>& size) {
  const double tolerance = std::is_same<Real, float>::value ? 1e-5 : 1e-13;
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(double(got[i]) - exact[i]) <= tolerance * size[i])) return false;
  return true;
}

template <typename Real>
int run(int n, int m) {
  const auto a = wave<Real>(size_t(n) * m, 0.7071, 0.0), p = wave<Real>(m, 1.37, 0.5), r = wave<Real>(n, 2.11, 1.0);
  const size_t lengths[] = {a.size(), p.size(), r.size(), size_t(n), size_t(m)};
  Real* device[5];
  for (int k = 0; k < 5; ++k) {
    ok(cudaMalloc(reinterpret_cast<void**>(&device[k]), lengths[k] * sizeof(Real)));
    ok(cudaMemset(device[k], 0xff, lengths[k] * sizeof(Real)));
  }
  ok(cudaMemcpy(device[0], a.data(), a.size() * sizeof(Real), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(device[1], p.data(), p.size() * sizeof(Real), cudaMemcpyHostToDevice));
  ok(cudaMemcpy(device[2], r.data(), r.size() * sizeof(Real), cudaMemcpyHostToDevice));
  ok(cudaDeviceSynchronize());

  cudaStream_t stream;
  cudaEvent_t start, stop;
  ok(cudaStreamCreate(&stream));
  ok(cudaEventCreate(&start));
  ok(cudaEventCreate(&stop));
  float best = std::numeric_limits<float>::max();
  for (int pass = 0; pass < 4; ++pass) {
    ok(cudaEventRecord(start, stream));
    ok(bicg::step<Real>(device[0], device[1], device[2], device[3], device[4], n, m, stream));
    ok(cudaEventRecord(stop, stream));
    ok(cudaEventSynchronize(stop));
    float ms = 0;
    ok(cudaEventElapsedTime(&ms, start, stop));
    if (ms < best) best = ms;
  }
  std::vector<Real> q(n), s(m);
  ok(cudaMemcpy(q.data(), device[3], q.size() * sizeof(Real), cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(s.data(), device[4], s.size() * sizeof(Real), cudaMemcpyDeviceToHost));

  std::vector<double> q_exact(n), q_size(n), s_exact(m), s_size(m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double cell = a[size_t(i) * m + j];
      q_exact[i] += cell * p[j];
      q_size[i] += std::fabs(cell * p[j]);
      s_exact[j] += cell * r[i];
      s_size[j] += std::fabs(cell * r[i]);
    }
  const bool good = near(q, q_exact, q_size) && near(s, s_exact, s_size);
  std::cout << "kernel_ms " << best << '\n' << (good ? "check OK" : "check FAILED") << std::endl;
  for (Real* pointer : device) ok(cudaFree(pointer));
  ok(cudaEventDestroy(start));
  ok(cudaEventDestroy(stop));
  ok(cudaStreamDestroy(stream));
  return good ? 0 : 1;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int m = argc > 2 ? std::atoi(argv[2]) : n;
  const std::string type = argc > 3 ? argv[3] : "float";
  if (n < 1 || m < 1 || (type != "float" && type != "double")) {
    std::cerr << "usage: bicg [n [m [float|double]]]\n";
    return 2;
  }
  return type == "float" ? run<float>(n, m) : run<double>(n, m);
}
