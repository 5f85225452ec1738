#include <cstdio>
#include <cstdlib>

#include "gram_schmidt.cuh"

void gpu(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gramschm: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

/// r[k][k] = length of column k. One block; its size is a power of two.
__global__ void gram_norm(const float* a, float* r, int k, int rows, int columns) {
  extern __shared__ float partial[];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < rows; i += blockDim.x) sum += a[i * columns + k] * a[i * columns + k];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) r[k * columns + k] = sqrtf(partial[0]);
}

__global__ void gram_unit(const float* a, const float* r, float* q, int k, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
}

/// Takes from each later column what it has of column k.
__global__ void gram_project(float* a, float* r, const float* q, int k, int rows, int columns) {
  int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (j < columns) {
    float dot = 0.0f;
    for (int i = 0; i < rows; i++) dot += q[i * columns + k] * a[i * columns + j];
    r[k * columns + j] = dot;
    for (int i = 0; i < rows; i++) a[i * columns + j] -= q[i * columns + k] * dot;
  }
}

GramSchmidt::GramSchmidt(int rows, int columns) : rows_(rows), columns_(columns) {
  gpu(cudaMalloc(&a_, sizeof(float) * rows * columns));
  gpu(cudaMalloc(&q_, sizeof(float) * rows * columns));
  gpu(cudaMalloc(&r_, sizeof(float) * columns * columns));
  gpu(cudaEventCreate(&start_));
  gpu(cudaEventCreate(&stop_));
}

GramSchmidt::~GramSchmidt() {
  cudaFree(a_);
  cudaFree(q_);
  cudaFree(r_);
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

float GramSchmidt::factorise(const std::vector<float>& a) {
  gpu(cudaMemcpy(a_, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  gpu(cudaMemset(q_, 0xff, sizeof(float) * rows_ * columns_));
  gpu(cudaMemset(r_, 0xff, sizeof(float) * columns_ * columns_));
  const int threads = 256;
  gpu(cudaEventRecord(start_));
  for (int k = 0; k < columns_; k++) {
    gram_norm<<<1, threads, threads * sizeof(float)>>>(a_, r_, k, rows_, columns_);
    gram_unit<<<(rows_ + threads - 1) / threads, threads>>>(a_, r_, q_, k, rows_, columns_);
    const int later = columns_ - k - 1;
    if (later > 0) gram_project<<<(later + threads - 1) / threads, threads>>>(a_, r_, q_, k, rows_, columns_);
  }
  gpu(cudaGetLastError());
  gpu(cudaEventRecord(stop_));
  gpu(cudaEventSynchronize(stop_));
  float ms = 0.0f;
  gpu(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

static std::vector<float> copied(const float* from, size_t count) {
  std::vector<float> to(count);
  gpu(cudaMemcpy(to.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost));
  return to;
}

std::vector<float> GramSchmidt::q() const { return copied(q_, size_t(rows_) * columns_); }
std::vector<float> GramSchmidt::r() const { return copied(r_, size_t(columns_) * columns_); }
