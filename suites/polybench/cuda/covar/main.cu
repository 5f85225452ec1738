// Covariance of m variables over n observations. The problem travels as one struct, also into the kernels.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GPU(call)                                                                        \
  {                                                                                      \
    const cudaError_t e = call;                                                          \
    if (e != cudaSuccess) {                                                              \
      fprintf(stderr, "%s in %s, line %d\n", cudaGetErrorString(e), __FILE__, __LINE__); \
      exit(2);                                                                           \
    }                                                                                    \
  }

struct Problem {
  int n, m;
  float* data;  // n x m
  float* mean;  // m
  float* cov;   // m x m
};

__global__ void covar_mean(Problem p) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= p.m) return;
  float sum = 0.0f;
  for (int i = 0; i < p.n; i++) sum += p.data[i * p.m + j];
  p.mean[j] = sum / (float)p.n;
}

__global__ void covar_center(Problem p) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y;
  if (j < p.m) p.data[i * p.m + j] -= p.mean[j];
}

__global__ void covar_matrix(Problem p) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 >= p.m) return;
  for (int j2 = j1; j2 < p.m; j2++) {
    float sum = 0.0f;
    for (int i = 0; i < p.n; i++) sum += p.data[i * p.m + j1] * p.data[i * p.m + j2];
    sum /= (float)(p.n - 1);
    p.cov[j1 * p.m + j2] = sum;
    p.cov[j2 * p.m + j1] = sum;
  }
}

static void compute(const Problem& p) {
  const int width = 128;
  const int strips = (p.m + width - 1) / width;
  covar_mean<<<strips, width>>>(p);
  covar_center<<<dim3(strips, p.n), width>>>(p);
  covar_matrix<<<strips, width>>>(p);
  GPU(cudaGetLastError());
}

// Slow waves of different lengths, shifted away from zero, with some noise.
static std::vector<float> make_data(int n, int m) {
  std::vector<float> v;
  v.reserve((size_t)n * m);
  unsigned s = 99;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      s = s * 22695477u + 1u;
      v.push_back((float)(sin(0.05 * i * (1 + j % 5)) + cos(0.3 * j) + (double)(s >> 16) / 65536.0));
    }
  return v;
}

static bool right(const std::vector<float>& data, const std::vector<float>& cov, int n, int m) {
  std::vector<double> by_variable((size_t)n * m), size(m, 0.0);
  for (int j = 0; j < m; j++) {
    double mean = 0.0;
    for (int i = 0; i < n; i++) mean += data[(size_t)i * m + j];
    mean /= n;
    for (int i = 0; i < n; i++) {
      double centered = data[(size_t)i * m + j] - mean;
      by_variable[(size_t)j * n + i] = centered;
      size[j] += centered * centered / (n - 1);
    }
  }
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) {
      double sum = 0.0;
      const double *x = &by_variable[(size_t)a * n], *y = &by_variable[(size_t)b * n];
      for (int i = 0; i < n; i++) sum += x[i] * y[i];
      sum /= n - 1;
      const double allowed = 2e-5 * sqrt(size[a] * size[b]);
      if (!(fabs(cov[(size_t)a * m + b] - sum) <= allowed)) return false;
      if (!(fabs(cov[(size_t)b * m + a] - sum) <= allowed)) return false;
    }
  return true;
}

int main(int argc, char** argv) {
  Problem p = {};
  p.m = argc > 1 ? atoi(argv[1]) : 768;
  p.n = argc > 2 ? atoi(argv[2]) : p.m;
  if (p.m < 1 || p.n < 2 || p.n > 65535) {
    fprintf(stderr, "usage: covar [variables [observations]], 2 to 65535 observations\n");
    return 2;
  }
  const std::vector<float> data = make_data(p.n, p.m);
  std::vector<float> cov((size_t)p.m * p.m);
  GPU(cudaMalloc(&p.data, data.size() * sizeof(float)));
  GPU(cudaMalloc(&p.mean, p.m * sizeof(float)));
  GPU(cudaMalloc(&p.cov, cov.size() * sizeof(float)));
  cudaEvent_t from, to;
  GPU(cudaEventCreate(&from));
  GPU(cudaEventCreate(&to));
  float ms = 0.0f;
  for (bool warm : {false, true}) {
    GPU(cudaMemcpy(p.data, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice));
    GPU(cudaMemset(p.cov, 0xff, cov.size() * sizeof(float)));
    GPU(cudaEventRecord(from));
    compute(p);
    GPU(cudaEventRecord(to));
    GPU(cudaEventSynchronize(to));
    if (warm) GPU(cudaEventElapsedTime(&ms, from, to));
  }
  GPU(cudaMemcpy(cov.data(), p.cov, cov.size() * sizeof(float), cudaMemcpyDeviceToHost));
  const bool ok = right(data, cov, p.n, p.m);
  printf("kernel_ms %g\n", ms);
  puts(ok ? "check OK" : "check FAILED");
  GPU(cudaFree(p.data));
  GPU(cudaFree(p.mean));
  GPU(cudaFree(p.cov));
  GPU(cudaEventDestroy(from));
  GPU(cudaEventDestroy(to));
  return ok ? 0 : 1;
}
