// q = A p and s = A^T r, independent of each other and so on two streams. A is n x m.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned kBlock = 256;

__global__ __launch_bounds__(kBlock) void a_times_p(const float* __restrict__ a, const float* __restrict__ p,
                                                    float* __restrict__ q, int n, int m) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) {
    q[i] = 0.0f;
    for (int j = 0; j < m; j++) q[i] += a[i * m + j] * p[j];
  }
}

__global__ __launch_bounds__(kBlock) void transposed_times_r(const float* __restrict__ a, const float* __restrict__ r,
                                                             float* __restrict__ s, int n, int m) {
  const int j = blockIdx.x * kBlock + threadIdx.x;
  if (j < m) {
    s[j] = 0.0f;
    for (int i = 0; i < n; i++) s[j] += a[i * m + j] * r[i];
  }
}

static void fail(hipError_t error, int line) {
  std::fprintf(stderr, "bicg.cpp:%d: %s\n", line, hipGetErrorString(error));
  std::exit(2);
}
#define HIP(call)                                         \
  if (hipError_t error_ = (call); error_ != hipSuccess) { \
    fail(error_, __LINE__);                               \
  }

struct Problem {
  int n, m;
  std::vector<float> a, p, r;
  Problem(int rows, int columns) : n(rows), m(columns), a(size_t(rows) * columns), p(columns), r(rows) {
    for (size_t i = 0; i < a.size(); i++) a[i] = float(std::sin(0.9 * double(i) + 0.3) + 0.1);
    for (int j = 0; j < m; j++) p[j] = float(0.5 + std::cos(1.7 * j));
    for (int i = 0; i < n; i++) r[i] = float(0.4 - std::sin(2.3 * i + 1.0));
  }
};

struct Device {
  float *a, *p, *r, *q, *s;
};

static float* put(const std::vector<float>& host) {
  float* device = nullptr;
  HIP(hipMalloc(&device, host.size() * sizeof(float)));
  HIP(hipMemcpy(device, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice));
  return device;
}

static int wrong(const Problem& b, const std::vector<float>& q, const std::vector<float>& s) {
  std::vector<double> q_exact(b.n), q_size(b.n), s_exact(b.m), s_size(b.m);
  for (int i = 0; i < b.n; i++)
    for (int j = 0; j < b.m; j++) {
      const double cell = b.a[size_t(i) * b.m + j];
      q_exact[i] += cell * b.p[j];
      q_size[i] += std::fabs(cell * b.p[j]);
      s_exact[j] += cell * b.r[i];
      s_size[j] += std::fabs(cell * b.r[i]);
    }
  int count = 0;
  for (int i = 0; i < b.n; i++) count += !(std::fabs(q[i] - q_exact[i]) <= 1e-5 * q_size[i]);
  for (int j = 0; j < b.m; j++) count += !(std::fabs(s[j] - s_exact[j]) <= 1e-5 * s_size[j]);
  return count;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int m = argc > 2 ? std::atoi(argv[2]) : n;
  if (n < 1 || m < 1) {
    std::fprintf(stderr, "usage: bicg [n [m]]\n");
    return 2;
  }
  const Problem problem(n, m);
  const Device d = {put(problem.a), put(problem.p), put(problem.r), put(std::vector<float>(n, NAN)),
                    put(std::vector<float>(m, NAN))};
  hipStream_t first, second;
  hipEvent_t start, middle, stop;
  HIP(hipStreamCreate(&first));
  HIP(hipStreamCreate(&second));
  HIP(hipEventCreate(&start));
  HIP(hipEventCreate(&middle));
  HIP(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 3; pass++) {
    HIP(hipEventRecord(start, first));
    a_times_p<<<(n + kBlock - 1) / kBlock, kBlock, 0, first>>>(d.a, d.p, d.q, n, m);
    transposed_times_r<<<(m + kBlock - 1) / kBlock, kBlock, 0, second>>>(d.a, d.r, d.s, n, m);
    HIP(hipGetLastError());
    HIP(hipEventRecord(middle, second));
    HIP(hipStreamWaitEvent(first, middle, 0));
    HIP(hipEventRecord(stop, first));
    HIP(hipEventSynchronize(stop));
    HIP(hipEventElapsedTime(&ms, start, stop));
  }
  std::vector<float> q(n), s(m);
  HIP(hipMemcpy(q.data(), d.q, n * sizeof(float), hipMemcpyDeviceToHost));
  HIP(hipMemcpy(s.data(), d.s, m * sizeof(float), hipMemcpyDeviceToHost));
  const int bad = wrong(problem, q, s);
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, bad ? "FAILED" : "OK");
  for (float* pointer : {d.a, d.p, d.r, d.q, d.s}) HIP(hipFree(pointer));
  for (hipEvent_t event : {start, middle, stop}) HIP(hipEventDestroy(event));
  HIP(hipStreamDestroy(first));
  HIP(hipStreamDestroy(second));
  return bad ? 1 : 0;
}
