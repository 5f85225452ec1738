// C = alpha A A^T + beta C, with A n x m. A one-dimensional grid over all results.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

template <typename T>
__global__ void syrk(const T* a, T* c, T alpha, T beta, int n, int m) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n * n) {
    const int i = index / n, j = index % n;
    c[index] *= beta;
    for (int k = 0; k < m; k++) c[index] += alpha * a[i * m + k] * a[j * m + k];
  }
}

static void must(hipError_t status, const std::string& what) {
  if (status == hipSuccess) return;
  std::cerr << "syrk: " << what << ": " << hipGetErrorString(status) << "\n";
  std::exit(2);
}

template <typename T>
int run(int n, int m, double tolerance) {
  const T alpha = T(1.1), beta = T(0.9);
  std::vector<T> a(size_t(n) * m), c(size_t(n) * n), result(c.size());
  for (size_t i = 0; i < a.size(); i++) a[i] = T(int(i * 2654435761u >> 20) - 2048) / T(2048);
  for (size_t i = 0; i < c.size(); i++) c[i] = T(int(i * 40503u >> 4 & 4095) - 2048) / T(1024);
  T *d_a = nullptr, *d_c = nullptr;
  must(hipMalloc(&d_a, a.size() * sizeof(T)), "hipMalloc");
  must(hipMalloc(&d_c, c.size() * sizeof(T)), "hipMalloc");
  must(hipMemcpy(d_a, a.data(), a.size() * sizeof(T), hipMemcpyHostToDevice), "upload");
  hipEvent_t start, stop;
  must(hipEventCreate(&start), "hipEventCreate");
  must(hipEventCreate(&stop), "hipEventCreate");
  const int threads = 256;
  float ms = 0;
  for (int pass = 0; pass < 2; pass++) {
    must(hipMemcpy(d_c, c.data(), c.size() * sizeof(T), hipMemcpyHostToDevice), "upload");
    must(hipEventRecord(start), "hipEventRecord");
    syrk<T><<<(n * n + threads - 1) / threads, threads>>>(d_a, d_c, alpha, beta, n, m);
    must(hipGetLastError(), "launch");
    must(hipEventRecord(stop), "hipEventRecord");
    must(hipEventSynchronize(stop), "kernel");
    must(hipEventElapsedTime(&ms, start, stop), "hipEventElapsedTime");
  }
  must(hipMemcpy(result.data(), d_c, c.size() * sizeof(T), hipMemcpyDeviceToHost), "download");
  size_t wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double exact = double(beta) * c[size_t(i) * n + j], size = std::fabs(exact);
      for (int k = 0; k < m; k++) {
        const double term = double(alpha) * a[size_t(i) * m + k] * a[size_t(j) * m + k];
        exact += term;
        size += std::fabs(term);
      }
      wrong += !(std::fabs(result[size_t(i) * n + j] - exact) <= tolerance * size);
    }
  std::cout << "kernel_ms " << ms << "\ncheck " << (wrong ? "FAILED" : "OK") << std::endl;
  must(hipFree(d_a), "hipFree");
  must(hipFree(d_c), "hipFree");
  must(hipEventDestroy(start), "hipEventDestroy");
  must(hipEventDestroy(stop), "hipEventDestroy");
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 768;
  const int m = argc > 2 ? std::atoi(argv[2]) : n;
  const std::string type = argc > 3 ? argv[3] : "float";
  if (n < 1 || n > 40000 || m < 1 || (type != "float" && type != "double")) {
    std::cerr << "usage: syrk [n [m [float|double]]]\n";
    return 2;
  }
  return type == "float" ? run<float>(n, m, 1e-5) : run<double>(n, m, 1e-13);
}
