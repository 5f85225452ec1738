#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels.h"

extern "C" __global__ void atax_rows(const float* a, const float* x, float* tmp, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    float sum = 0.0f;
    for (int j = 0; j < ny; j++) sum += a[i * ny + j] * x[j];
    tmp[i] = sum;
  }
}

extern "C" __global__ void atax_columns(const float* a, const float* tmp, float* y, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    float sum = 0.0f;
    for (int i = 0; i < nx; i++) sum += a[i * ny + j] * tmp[i];
    y[j] = sum;
  }
}

static inline void hip(hipError_t status) {
  if (status != hipSuccess) {
    std::fprintf(stderr, "atax: %s\n", hipGetErrorString(status));
    std::exit(2);
  }
}

template <int Threads = 256, typename Kernel, typename... Args>
static void launch(Kernel kernel, int items, Args... args) {
  hipLaunchKernelGGL(kernel, dim3((items + Threads - 1) / Threads), dim3(Threads), 0, nullptr, args...);
  hip(hipGetLastError());
}

struct Array {
  explicit Array(size_t n) : count(n) {
    hip(hipMalloc(&data, n * sizeof(float)));
    hip(hipMemset(data, 0xff, n * sizeof(float)));
  }
  explicit Array(const std::vector<float>& from) : Array(from.size()) {
    hip(hipMemcpy(data, from.data(), count * sizeof(float), hipMemcpyHostToDevice));
  }
  ~Array() { (void)hipFree(data); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  size_t count;
  float* data = nullptr;
};

int main(int argc, char** argv) {
  const int nx = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int ny = argc > 2 ? std::atoi(argv[2]) : nx;
  if (nx < 1 || ny < 1) {
    std::fprintf(stderr, "usage: atax [nx [ny]]\n");
    return 2;
  }
  std::vector<float> a(size_t(nx) * ny), x(ny), y(ny);
  unsigned state = 77;
  for (auto* v : {&a, &x})
    for (float& value : *v) {
      state = state * 1664525u + 1013904223u;
      value = float(state >> 8) / 8388608.0f - 1.0f;
    }
  Array d_a(a), d_x(x), d_tmp(nx), d_y(ny);
  hipEvent_t start, stop;
  hip(hipEventCreate(&start));
  hip(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 3; pass++) {
    hip(hipEventRecord(start));
    launch(atax_rows, nx, d_a.data, d_x.data, d_tmp.data, nx, ny);
    launch<128>(atax_columns, ny, d_a.data, d_tmp.data, d_y.data, nx, ny);
    hip(hipEventRecord(stop));
    hip(hipEventSynchronize(stop));
    hip(hipEventElapsedTime(&ms, start, stop));
  }
  hip(hipMemcpy(y.data(), d_y.data, y.size() * sizeof(float), hipMemcpyDeviceToHost));

  std::vector<double> exact(ny), size(ny);
  for (int i = 0; i < nx; i++) {
    const float* row = &a[size_t(i) * ny];
    double sum = 0.0, sum_size = 0.0;
    for (int j = 0; j < ny; j++) {
      sum += double(row[j]) * x[j];
      sum_size += std::fabs(double(row[j]) * x[j]);
    }
    for (int j = 0; j < ny; j++) {
      exact[j] += row[j] * sum;
      size[j] += std::fabs(row[j]) * sum_size;
    }
  }
  bool ok = true;
  for (int j = 0; j < ny; j++) ok = ok && std::fabs(y[j] - exact[j]) <= 1e-6 * size[j];
  std::printf("kernel_ms %.4f\n", ms);
  std::printf("%s\n", ok ? "check OK" : "check FAILED");
  hip(hipEventDestroy(start));
  hip(hipEventDestroy(stop));
  return ok ? 0 : 1;
}
