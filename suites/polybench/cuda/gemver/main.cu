#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gemver.h"

static std::vector<float> fill(size_t count, unsigned seed) {
  std::vector<float> v(count);
  unsigned state = seed;
  for (size_t i = 0; i < count; i++) {
    state = state * 1103515245u + 12345u;
    v[i] = (float)((state >> 12) & 0xfffff) / 524288.0f - 1.0f;
  }
  return v;
}

static void to_device(float* to, const std::vector<float>& from) {
  gpu_check(cudaMemcpy(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice), "upload");
}

static int compare(const char* name, const std::vector<float>& got, const std::vector<double>& exact,
                   const std::vector<double>& size, double tolerance) {
  int wrong = 0;
  for (size_t i = 0; i < got.size(); i++) wrong += !(fabs(got[i] - exact[i]) <= tolerance * size[i]);
  if (wrong) fprintf(stderr, "%s: %d of %zu wrong\n", name, wrong, got.size());
  return wrong;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4096;
  if (n < 1) {
    fprintf(stderr, "usage: gemver [n]\n");
    return 2;
  }
  const float alpha = 1.5f, beta = 1.2f;
  const size_t cells = (size_t)n * n;
  const std::vector<float> a = fill(cells, 1), u1 = fill(n, 2), v1 = fill(n, 3), u2 = fill(n, 4), v2 = fill(n, 5),
                           x = fill(n, 6), y = fill(n, 7), z = fill(n, 8);
  GemverArrays d;
  float** arrays[] = {&d.u1, &d.v1, &d.u2, &d.v2, &d.x, &d.y, &d.z, &d.w};
  gpu_check(cudaMalloc(&d.a, cells * sizeof(float)), "cudaMalloc");
  for (float** array : arrays) gpu_check(cudaMalloc(array, n * sizeof(float)), "cudaMalloc");
  to_device(d.u1, u1);
  to_device(d.v1, v1);
  to_device(d.u2, u2);
  to_device(d.v2, v2);
  to_device(d.y, y);
  to_device(d.z, z);

  cudaEvent_t start, stop;
  gpu_check(cudaEventCreate(&start), "cudaEventCreate");
  gpu_check(cudaEventCreate(&stop), "cudaEventCreate");
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    to_device(d.a, a);
    to_device(d.x, x);
    gpu_check(cudaMemset(d.w, 0xff, n * sizeof(float)), "cudaMemset");
    gpu_check(cudaEventRecord(start), "cudaEventRecord");
    gemver(d, alpha, beta, n);
    gpu_check(cudaEventRecord(stop), "cudaEventRecord");
    gpu_check(cudaEventSynchronize(stop), "gemver");
    gpu_check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
  }
  std::vector<float> x_out(n), w_out(n), a_out(cells);
  gpu_check(cudaMemcpy(x_out.data(), d.x, n * sizeof(float), cudaMemcpyDeviceToHost), "download");
  gpu_check(cudaMemcpy(w_out.data(), d.w, n * sizeof(float), cudaMemcpyDeviceToHost), "download");
  gpu_check(cudaMemcpy(a_out.data(), d.a, cells * sizeof(float), cudaMemcpyDeviceToHost), "download");

  std::vector<double> b(cells), b_size(cells), xe(x.begin(), x.end()), xs(n), we(n), ws(n);
  for (int i = 0; i < n; i++) xs[i] = fabs(x[i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const size_t at = (size_t)i * n + j;
      b[at] = a[at] + (double)u1[i] * v1[j] + (double)u2[i] * v2[j];
      b_size[at] = fabs(a[at]) + fabs((double)u1[i] * v1[j]) + fabs((double)u2[i] * v2[j]);
      xe[j] += beta * b[at] * y[i];
      xs[j] += fabs(beta * b_size[at] * y[i]);
    }
  for (int j = 0; j < n; j++) {
    xe[j] += z[j];
    xs[j] += fabs(z[j]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      we[i] += alpha * b[(size_t)i * n + j] * xe[j];
      ws[i] += fabs(alpha * b_size[(size_t)i * n + j]) * xs[j];
    }
  const int wrong =
      compare("A", a_out, b, b_size, 1e-6) + compare("x", x_out, xe, xs, 1e-5) + compare("w", w_out, we, ws, 1e-6);
  printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  cudaFree(d.a);
  for (float** array : arrays) cudaFree(*array);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return wrong ? 1 : 0;
}
