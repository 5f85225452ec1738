#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "covar.h"

namespace {

__global__ void covar_mean(const float* data, float* mean, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += data[i * m + j];
    mean[j] = sum / n;
  }
}

__global__ void covar_center(float* data, const float* mean, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) data[i * m + j] -= mean[j];
}

__global__ void covar_matrix(const float* data, float* cov, int n, int m) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m) {
    for (int j2 = j1; j2 < m; j2++) {
      float sum = 0.0f;
      for (int i = 0; i < n; i++) sum += data[i * m + j1] * data[i * m + j2];
      cov[j1 * m + j2] = sum / (n - 1);
      cov[j2 * m + j1] = sum / (n - 1);
    }
  }
}

void need(hipError_t status, const char* what) {
  if (status != hipSuccess) {
    fprintf(stderr, "covar: %s: %s\n", what, hipGetErrorString(status));
    exit(2);
  }
}

}  // namespace

std::vector<float> covariance_on_device(const std::vector<float>& data, int n, int m, float& ms) {
  float *d_data, *d_mean, *d_cov;
  std::vector<float> cov(size_t(m) * m);
  need(hipMalloc(&d_data, data.size() * sizeof(float)), "hipMalloc");
  need(hipMalloc(&d_mean, m * sizeof(float)), "hipMalloc");
  need(hipMalloc(&d_cov, cov.size() * sizeof(float)), "hipMalloc");
  need(hipMemcpy(d_data, data.data(), data.size() * sizeof(float), hipMemcpyHostToDevice), "upload");
  need(hipMemset(d_cov, 0xff, cov.size() * sizeof(float)), "hipMemset");

  const dim3 block1(64), grid1((m + 63) / 64);
  const dim3 block2(32, 8), grid2((m + 31) / 32, (n + 7) / 8);
  hipEvent_t start, stop;
  need(hipEventCreate(&start), "hipEventCreate");
  need(hipEventCreate(&stop), "hipEventCreate");
  need(hipEventRecord(start), "hipEventRecord");
  covar_mean<<<grid1, block1>>>(d_data, d_mean, n, m);
  covar_center<<<grid2, block2>>>(d_data, d_mean, n, m);
  covar_matrix<<<grid1, block1>>>(d_data, d_cov, n, m);
  need(hipGetLastError(), "launch");
  need(hipEventRecord(stop), "hipEventRecord");
  need(hipEventSynchronize(stop), "kernels");
  need(hipEventElapsedTime(&ms, start, stop), "hipEventElapsedTime");

  need(hipMemcpy(cov.data(), d_cov, cov.size() * sizeof(float), hipMemcpyDeviceToHost), "download");
  need(hipFree(d_data), "hipFree");
  need(hipFree(d_mean), "hipFree");
  need(hipFree(d_cov), "hipFree");
  need(hipEventDestroy(start), "hipEventDestroy");
  need(hipEventDestroy(stop), "hipEventDestroy");
  return cov;
}
