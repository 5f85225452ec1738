// Correlation matrix of m variables from n observations.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

template <int Block>
__global__ void corr_mean(const float* data, float* mean, int n, int m) {
  const int j = blockIdx.x * Block + threadIdx.x;
  if (j >= m) return;
  mean[j] = 0.0f;
  for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
  mean[j] /= n;
}

template <int Block>
__global__ void corr_deviation(const float* data, const float* mean, float* deviation, int n, int m) {
  const int j = blockIdx.x * Block + threadIdx.x;
  if (j >= m) return;
  float square = 0.0f;
  for (int i = 0; i < n; i++) {
    const float difference = data[i * m + j] - mean[j];
    square += difference * difference;
  }
  const float root = sqrtf(square / n);
  deviation[j] = root > 0.005f ? root : 1.0f;  // what hardly varies is not scaled up
}

template <int Block>
__global__ void corr_normalise(float* data, const float* mean, const float* deviation, int n, int m) {
  const int index = blockIdx.x * Block + threadIdx.x;
  if (index >= n * m) return;
  const int j = index % m;
  data[index] = (data[index] - mean[j]) / (sqrtf(float(n)) * deviation[j]);
}

template <int Block>
__global__ void corr_matrix(const float* data, float* matrix, int n, int m) {
  const int j1 = blockIdx.x * Block + threadIdx.x;
  if (j1 >= m) return;
  matrix[j1 * m + j1] = 1.0f;
  for (int j2 = j1 + 1; j2 < m; j2++) {
    matrix[j1 * m + j2] = 0.0f;
    for (int i = 0; i < n; i++) matrix[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
    matrix[j2 * m + j1] = matrix[j1 * m + j2];
  }
}

namespace {

#define HIP_OK(call)                                                                       \
  do {                                                                                     \
    const hipError_t result_ = (call);                                                     \
    if (result_ != hipSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(result_)); \
      std::exit(2);                                                                        \
    }                                                                                      \
  } while (0)

struct HipFree {
  void operator()(float* p) const { (void)hipFree(p); }
};
using Buffer = std::unique_ptr<float[], HipFree>;

Buffer allocate(size_t count) {
  float* p = nullptr;
  HIP_OK(hipMalloc(&p, count * sizeof(float)));
  HIP_OK(hipMemset(p, 0xff, count * sizeof(float)));
  return Buffer(p);
}

/// Neighbouring variables share a wave, far ones do not; every variable has noise of its own.
std::vector<float> observations(int n, int m) {
  std::vector<float> data(size_t(n) * m);
  uint64_t state = 88172645463325252ull;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      const double noise = double(state >> 11) / 9007199254740992.0 - 0.5;
      data[size_t(i) * m + j] = float(noise + std::sin(0.37 * i + 0.11 * j) + 0.02 * (j % 9));
    }
  return data;
}

constexpr int kBlock = 128;
int blocks(int items) { return (items + kBlock - 1) / kBlock; }

}  // namespace

int main(int argc, char** argv) {
  const int m = argc > 1 ? std::atoi(argv[1]) : 768;
  const int n = argc > 2 ? std::atoi(argv[2]) : m;
  if (m < 1 || n < 2) {
    std::fprintf(stderr, "usage: corr [variables [observations]]\n");
    return 2;
  }
  const std::vector<float> data = observations(n, m);
  const size_t cells = size_t(m) * m;
  const Buffer d_data = allocate(data.size()), d_mean = allocate(m), d_deviation = allocate(m),
               d_matrix = allocate(cells);
  hipEvent_t start, stop;
  HIP_OK(hipEventCreate(&start));
  HIP_OK(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    HIP_OK(hipMemcpy(d_data.get(), data.data(), data.size() * sizeof(float), hipMemcpyHostToDevice));
    HIP_OK(hipMemset(d_matrix.get(), 0xff, cells * sizeof(float)));
    HIP_OK(hipEventRecord(start, 0));
    hipLaunchKernelGGL(HIP_KERNEL_NAME(corr_mean<kBlock>), blocks(m), kBlock, 0, 0, d_data.get(), d_mean.get(), n, m);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(corr_deviation<kBlock>), blocks(m), kBlock, 0, 0, d_data.get(), d_mean.get(),
                       d_deviation.get(), n, m);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(corr_normalise<kBlock>), blocks(n * m), kBlock, 0, 0, d_data.get(), d_mean.get(),
                       d_deviation.get(), n, m);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(corr_matrix<kBlock>), blocks(m), kBlock, 0, 0, d_data.get(), d_matrix.get(), n,
                       m);
    HIP_OK(hipGetLastError());
    HIP_OK(hipEventRecord(stop, 0));
    HIP_OK(hipEventSynchronize(stop));
    HIP_OK(hipEventElapsedTime(&ms, start, stop));
  }
  std::vector<float> matrix(cells);
  HIP_OK(hipMemcpy(matrix.data(), d_matrix.get(), cells * sizeof(float), hipMemcpyDeviceToHost));

  std::vector<std::vector<double>> variable(m, std::vector<double>(n));
  for (int j = 0; j < m; j++) {
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) mean += data[size_t(i) * m + j] / double(n);
    for (int i = 0; i < n; i++) {
      variable[j][i] = data[size_t(i) * m + j] - mean;
      square += variable[j][i] * variable[j][i];
    }
    const double root = std::sqrt(square / n);
    for (double& value : variable[j]) value /= std::sqrt(double(n)) * (root > 0.005 ? root : 1.0);
  }
  size_t wrong = 0;
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) {
      double exact = a == b ? 1.0 : 0.0;
      if (a != b)
        for (int i = 0; i < n; i++) exact += variable[a][i] * variable[b][i];
      wrong += !(std::fabs(matrix[size_t(a) * m + b] - exact) <= 2e-5);
      wrong += !(std::fabs(matrix[size_t(b) * m + a] - exact) <= 2e-5);
    }
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  HIP_OK(hipEventDestroy(start));
  HIP_OK(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
