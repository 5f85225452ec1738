// C = alpha (A B^T + B A^T) + beta C, with A and B n x m.
#include <cmath>

#include "pitched.cuh"

__global__ void __launch_bounds__(256) syr2k(View a, View b, View c, float alpha, float beta, int n, int m) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < m; k++) {
    sum += a(row, k) * b(column, k);
    sum += b(row, k) * a(column, k);
  }
  c(row, column) = beta * c(row, column) + alpha * sum;
}

static std::vector<float> pattern(int rows, int columns, double step) {
  std::vector<float> v(size_t(rows) * columns);
  double phase = 0.0;
  for (float& value : v) value = static_cast<float>(std::fmod(phase += step, 2.0) - 1.0);
  return v;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 640;
  const int m = argc > 2 ? std::atoi(argv[2]) : n;
  if (n < 1 || m < 1) {
    std::fprintf(stderr, "usage: syr2k [n [m]]\n");
    return 2;
  }
  const float alpha = 0.7f, beta = 1.3f;
  const std::vector<float> a = pattern(n, m, 0.618033988), b = pattern(n, m, 0.414213562),
                           c = pattern(n, n, 0.732050807);
  Pitched d_a(n, m), d_b(n, m), d_c(n, n);
  d_a.set(a);
  d_b.set(b);

  dim3 block(32, 8);
  dim3 grid;
  grid.x = (n + block.x - 1) / block.x;
  grid.y = (n + block.y - 1) / block.y;
  cudaEvent_t start, stop;
  SAFE(cudaEventCreate(&start));
  SAFE(cudaEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    d_c.set(c);
    SAFE(cudaEventRecord(start));
    syr2k<<<grid, block>>>(d_a.view(), d_b.view(), d_c.view(), alpha, beta, n, m);
    SAFE(cudaPeekAtLastError());
    SAFE(cudaEventRecord(stop));
    SAFE(cudaEventSynchronize(stop));
    SAFE(cudaEventElapsedTime(&ms, start, stop));
  }
  std::vector<float> result(c.size());
  d_c.get(result);

  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double exact = double(beta) * c[size_t(i) * n + j], size = std::fabs(exact);
      for (int k = 0; k < m; k++) {
        const double first = double(alpha) * a[size_t(i) * m + k] * b[size_t(j) * m + k];
        const double second = double(alpha) * b[size_t(i) * m + k] * a[size_t(j) * m + k];
        exact += first + second;
        size += std::fabs(first) + std::fabs(second);
      }
      if (!(std::fabs(result[size_t(i) * n + j] - exact) <= 1e-5 * size)) wrong++;
    }
  std::printf("kernel_ms %.4f\n", ms);
  std::printf("check %s\n", wrong ? "FAILED" : "OK");
  SAFE(cudaEventDestroy(start));
  SAFE(cudaEventDestroy(stop));
  return wrong ? 1 : 0;
}
