// y = A^T (A x)
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "atax.cuh"

#define TRY(expression) \
  if (cudaError_t error = (expression)) die(#expression, error)

[[noreturn]] static void die(const char* what, cudaError_t error) {
  fprintf(stderr, "%s gave %s\n", what, cudaGetErrorString(error));
  exit(2);
}

struct Free {
  void operator()(float* p) const { cudaFree(p); }
};
using DevicePointer = std::unique_ptr<float, Free>;

static DevicePointer on_device(size_t count) {
  float* p = nullptr;
  TRY(cudaMalloc(&p, count * sizeof(float)));
  TRY(cudaMemset(p, 0xff, count * sizeof(float)));
  return DevicePointer(p);
}

static float value_at(uint32_t i, uint32_t salt) {
  uint32_t h = i * 2654435761u ^ salt * 0x9e3779b9u;
  h ^= h >> 15;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return float(h & 0xffff) / 32768.0f - 1.0f;
}

int main(int argc, char** argv) {
  const unsigned nx = argc > 1 ? strtoul(argv[1], nullptr, 10) : 4096;
  const unsigned ny = argc > 2 ? strtoul(argv[2], nullptr, 10) : nx;
  if (nx == 0 || ny == 0) return fprintf(stderr, "usage: atax [nx [ny]]\n"), 2;
  const size_t cells = size_t(nx) * ny;
  std::unique_ptr<float[]> A(new float[cells]), x(new float[ny]), y(new float[ny]);
  for (size_t i = 0; i < cells; i++) A[i] = value_at(i, 1);
  for (unsigned j = 0; j < ny; j++) x[j] = value_at(j, 2);

  DevicePointer dA = on_device(cells), dx = on_device(ny), dtmp = on_device(nx), dy = on_device(ny);
  TRY(cudaMemcpy(dA.get(), A.get(), cells * sizeof(float), cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(dx.get(), x.get(), ny * sizeof(float), cudaMemcpyHostToDevice));

  cudaEvent_t start, stop;
  TRY(cudaEventCreate(&start));
  TRY(cudaEventCreate(&stop));
  const int repeats = 3;
  for (int r = -1; r < repeats; r++) {
    if (r == 0) TRY(cudaEventRecord(start));  // r = -1 warms up
    atax_rows<<<BLOCKS_FOR(nx), THREADS_PER_BLOCK>>>(dA.get(), dx.get(), dtmp.get(), nx, ny);
    atax_columns<<<BLOCKS_FOR(ny), THREADS_PER_BLOCK>>>(dA.get(), dtmp.get(), dy.get(), nx, ny);
    TRY(cudaGetLastError());
  }
  TRY(cudaEventRecord(stop));
  TRY(cudaEventSynchronize(stop));
  float ms = 0.0f;
  TRY(cudaEventElapsedTime(&ms, start, stop));
  TRY(cudaMemcpy(y.get(), dy.get(), ny * sizeof(float), cudaMemcpyDeviceToHost));

  std::unique_ptr<double[]> exact(new double[ny]()), size(new double[ny]());
  for (unsigned i = 0; i < nx; i++) {
    double row = 0.0, row_size = 0.0;
    for (unsigned j = 0; j < ny; j++) {
      const double term = double(A[size_t(i) * ny + j]) * x[j];
      row += term;
      row_size += fabs(term);
    }
    for (unsigned j = 0; j < ny; j++) {
      exact[j] += A[size_t(i) * ny + j] * row;
      size[j] += fabs(A[size_t(i) * ny + j]) * row_size;
    }
  }
  unsigned wrong = 0;
  for (unsigned j = 0; j < ny; j++)
    if (!(fabs(y[j] - exact[j]) <= 1e-6 * size[j])) wrong++;
  printf("kernel_ms %.4f\n", ms / repeats);
  printf("check %s\n", wrong == 0 ? "OK" : "FAILED");
  TRY(cudaEventDestroy(start));
  TRY(cudaEventDestroy(stop));
  return wrong == 0 ? 0 : 1;
}
