// y = alpha A x + beta B x. The coefficients live in constant memory; host arrays are pinned.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

__constant__ float alpha_beta[2];

__global__ void gesummv(const float* a, const float* b, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float from_a = 0.0f, from_b = 0.0f;
  for (int j = 0; j < n; j++) {
    from_a += a[i * n + j] * x[j];
    from_b += b[i * n + j] * x[j];
  }
  y[i] = alpha_beta[0] * from_a + alpha_beta[1] * from_b;
}

#define ASSERT_HIP(x)                                                 \
  do {                                                                \
    hipError_t r = (x);                                               \
    if (r != hipSuccess) {                                            \
      fprintf(stderr, "gesummv: %s: %s\n", #x, hipGetErrorString(r)); \
      exit(2);                                                        \
    }                                                                 \
  } while (0)

struct Pair {
  float *host, *device;
  size_t bytes;
};

static Pair make_pair_of(size_t count, unsigned seed) {
  Pair p = {nullptr, nullptr, count * sizeof(float)};
  ASSERT_HIP(hipHostMalloc((void**)&p.host, p.bytes, 0));
  ASSERT_HIP(hipMalloc((void**)&p.device, p.bytes));
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    p.host[i] = (float)(int)(seed >> 8) / 8388608.0f - 1.0f;
  }
  ASSERT_HIP(hipMemcpy(p.device, p.host, p.bytes, hipMemcpyHostToDevice));
  return p;
}

static void release(Pair p) {
  ASSERT_HIP(hipHostFree(p.host));
  ASSERT_HIP(hipFree(p.device));
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  if (n < 1) {
    fprintf(stderr, "usage: gesummv [n]\n");
    return 2;
  }
  const float coefficients[2] = {1.5f, -0.8f};
  ASSERT_HIP(hipMemcpyToSymbol(HIP_SYMBOL(alpha_beta), coefficients, sizeof coefficients));
  const size_t cells = (size_t)n * n;
  Pair a = make_pair_of(cells, 1), b = make_pair_of(cells, 2), x = make_pair_of(n, 3), y = make_pair_of(n, 4);
  ASSERT_HIP(hipMemset(y.device, 0xff, y.bytes));

  hipEvent_t start, stop;
  ASSERT_HIP(hipEventCreate(&start));
  ASSERT_HIP(hipEventCreate(&stop));
  const int runs = 3;
  for (int run = 0; run <= runs; run++) {
    if (run == 1) ASSERT_HIP(hipEventRecord(start, 0));
    hipLaunchKernelGGL(gesummv, dim3((n + 127) / 128), dim3(128), 0, 0, a.device, b.device, x.device, y.device, n);
  }
  ASSERT_HIP(hipGetLastError());
  ASSERT_HIP(hipEventRecord(stop, 0));
  ASSERT_HIP(hipEventSynchronize(stop));
  float ms;
  ASSERT_HIP(hipEventElapsedTime(&ms, start, stop));
  ASSERT_HIP(hipMemcpy(y.host, y.device, y.bytes, hipMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double exact = 0.0, size = 0.0;
    for (int j = 0; j < n; j++) {
      const double left = (double)coefficients[0] * a.host[(size_t)i * n + j] * x.host[j];
      const double right = (double)coefficients[1] * b.host[(size_t)i * n + j] * x.host[j];
      exact += left + right;
      size += fabs(left) + fabs(right);
    }
    if (!(fabs(y.host[i] - exact) <= 1e-5 * size)) wrong++;
  }
  printf("kernel_ms %f\n", ms / runs);
  printf("check %s\n", wrong ? "FAILED" : "OK");
  for (Pair p : {a, b, x, y}) release(p);
  ASSERT_HIP(hipEventDestroy(start));
  ASSERT_HIP(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
