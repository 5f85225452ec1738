// C = alpha A B + beta C, with A ni x nk, B nk x nj, C ni x nj, all row by row.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    cudaError_t status_ = (call);                                                                 \
    if (status_ != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
      exit(2);                                                                                    \
    }                                                                                             \
  } while (0)

__global__ void gemm(const float* a, const float* b, float* c, float alpha, float beta, int ni, int nj, int nk) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    float sum = 0.0f;
    for (int k = 0; k < nk; k++) sum += a[i * nk + k] * b[k * nj + j];
    c[i * nj + j] = alpha * sum + beta * c[i * nj + j];
  }
}

static float* random_matrix(int rows, int columns, unsigned seed) {
  size_t count = (size_t)rows * columns;
  float* values = (float*)malloc(count * sizeof(float));
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

// A result may differ from the exact one by rounding only, which grows with the sum of the terms' sizes.
static int wrong_results(const float* a, const float* b, const float* before, const float* after, float alpha,
                         float beta, int ni, int nj, int nk) {
  int wrong = 0;
  double* exact = (double*)malloc(nj * sizeof(double));
  double* size = (double*)malloc(nj * sizeof(double));
  for (int i = 0; i < ni; i++) {
    for (int j = 0; j < nj; j++) {
      exact[j] = (double)beta * before[(size_t)i * nj + j];
      size[j] = fabs(exact[j]);
    }
    for (int k = 0; k < nk; k++) {
      double factor = (double)alpha * a[(size_t)i * nk + k];
      for (int j = 0; j < nj; j++) {
        double term = factor * b[(size_t)k * nj + j];
        exact[j] += term;
        size[j] += fabs(term);
      }
    }
    for (int j = 0; j < nj; j++) wrong += !(fabs(after[(size_t)i * nj + j] - exact[j]) <= 1e-5 * size[j]);
  }
  free(exact);
  free(size);
  return wrong;
}

int main(int argc, char** argv) {
  int ni = argc > 1 ? atoi(argv[1]) : 1024;
  int nj = argc > 2 ? atoi(argv[2]) : ni;
  int nk = argc > 3 ? atoi(argv[3]) : ni;
  if (ni < 1 || nj < 1 || nk < 1) {
    fprintf(stderr, "usage: gemm [ni [nj nk]]\n");
    return 2;
  }
  const float alpha = 1.25f, beta = 0.75f;
  float* a = random_matrix(ni, nk, 1);
  float* b = random_matrix(nk, nj, 2);
  float* c = random_matrix(ni, nj, 3);
  size_t a_bytes = sizeof(float) * ni * nk, b_bytes = sizeof(float) * nk * nj, c_bytes = sizeof(float) * ni * nj;

  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, a_bytes));
  CHECK(cudaMalloc(&d_b, b_bytes));
  CHECK(cudaMalloc(&d_c, c_bytes));
  CHECK(cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice));

  dim3 block(16, 16);
  dim3 grid((nj + block.x - 1) / block.x, (ni + block.y - 1) / block.y);
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {  // the first one warms up
    CHECK(cudaMemcpy(d_c, c, c_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(start));
    gemm<<<grid, block>>>(d_a, d_b, d_c, alpha, beta, ni, nj, nk);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
  }
  float* result = (float*)malloc(c_bytes);
  CHECK(cudaMemcpy(result, d_c, c_bytes, cudaMemcpyDeviceToHost));
  int wrong = wrong_results(a, b, c, result, alpha, beta, ni, nj, nk);
  printf("kernel_ms %.4f\n", ms);
  printf("check %s\n", wrong ? "FAILED" : "OK");

  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  free(a);
  free(b);
  free(c);
  free(result);
  return wrong ? 1 : 0;
}
