// C = alpha A A^T + beta C, with A n x m and the whole of C computed. Launched through cudaLaunchKernel.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <vector>

__global__ void syrk(const float* __restrict__ a, float* __restrict__ c, float alpha, float beta, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    float value = c[i * n + j] * beta;
    for (int k = 0; k < m; k++) value += alpha * a[i * m + k] * a[j * m + k];
    c[i * n + j] = value;
  }
}

namespace {
void throw_on(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

struct Timer {
  cudaEvent_t begin, end;
  Timer() {
    throw_on(cudaEventCreate(&begin));
    throw_on(cudaEventCreate(&end));
  }
  ~Timer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  void start() { throw_on(cudaEventRecord(begin)); }
  float stop() {
    float ms;
    throw_on(cudaEventRecord(end));
    throw_on(cudaEventSynchronize(end));
    throw_on(cudaEventElapsedTime(&ms, begin, end));
    return ms;
  }
};

float noise(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return static_cast<float>(x >> 8) / 8388608.0f - 1.0f;
}

bool agrees(const std::vector<float>& a, const std::vector<float>& before, const std::vector<float>& after,
            double alpha, double beta, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const float *left = &a[size_t(i) * m], *right = &a[size_t(j) * m];
      const double old = beta * before[size_t(i) * n + j];
      double sum = old, size = std::fabs(old);
      for (int k = 0; k < m; k++) {
        const double term = alpha * left[k] * right[k];
        sum += term;
        size += std::fabs(term);
      }
      if (!(std::fabs(after[size_t(i) * n + j] - sum) <= 1e-5 * size)) return false;
    }
  return true;
}
}  // namespace

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 768;
  int m = argc > 2 ? std::atoi(argv[2]) : n;
  if (n < 1 || m < 1) {
    std::cerr << "usage: syrk [n [m]]\n";
    return 2;
  }
  try {
    std::vector<float> a(size_t(n) * m), c(size_t(n) * n), result(size_t(n) * n);
    for (size_t i = 0; i < a.size(); i++) a[i] = noise(2 * i + 1);
    for (size_t i = 0; i < c.size(); i++) c[i] = noise(2 * i + 2);
    float alpha = 1.1f, beta = 0.9f;
    float *d_a, *d_c;
    throw_on(cudaMalloc(&d_a, a.size() * sizeof(float)));
    throw_on(cudaMalloc(&d_c, c.size() * sizeof(float)));
    throw_on(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));

    const dim3 block(16, 16, 1);
    const dim3 grid((n + 15) / 16, (n + 15) / 16, 1);
    void* arguments[] = {&d_a, &d_c, &alpha, &beta, &n, &m};
    Timer timer;
    float ms = 0.0f;
    for (int pass = 0; pass < 2; pass++) {
      throw_on(cudaMemcpy(d_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
      timer.start();
      throw_on(cudaLaunchKernel(syrk, grid, block, arguments, 0, nullptr));
      ms = timer.stop();
    }
    throw_on(cudaMemcpy(result.data(), d_c, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    throw_on(cudaFree(d_a));
    throw_on(cudaFree(d_c));
    const bool ok = agrees(a, c, result, alpha, beta, n, m);
    std::cout << std::fixed << std::setprecision(4) << "kernel_ms " << ms << "\ncheck " << (ok ? "OK" : "FAILED")
              << "\n";
    return ok ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "syrk: " << e.what() << "\n";
    return 2;
  }
}
