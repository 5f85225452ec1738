// fused_add_rmsnorm [7b|13b|70b|HIDDEN [TOKENS]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "norm.h"

namespace {

void need(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "fused_add_rmsnorm: %s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
  }
}

struct Model {
  const char* name;
  int hidden;
};
constexpr Model kModels[] = {{"7b", 4096}, {"13b", 5120}, {"70b", 8192}};

int hidden_of(const char* text) {
  for (const Model& model : kModels)
    if (std::strcmp(text, model.name) == 0) return model.hidden;
  return std::atoi(text);
}

struct HalfArray {
  std::vector<__half> host;
  __half* device = nullptr;
  explicit HalfArray(size_t count) : host(count) {
    need(cudaMalloc(reinterpret_cast<void**>(&device), count * sizeof(__half)), "cudaMalloc");
  }
  ~HalfArray() { cudaFree(device); }
  HalfArray(const HalfArray&) = delete;
  HalfArray& operator=(const HalfArray&) = delete;
  void up() { need(cudaMemcpy(device, host.data(), host.size() * sizeof(__half), cudaMemcpyHostToDevice), "upload"); }
  std::vector<__half> down() const {
    std::vector<__half> copy(host.size());
    need(cudaMemcpy(copy.data(), device, copy.size() * sizeof(__half), cudaMemcpyDeviceToHost), "download");
    return copy;
  }
  /// Every token has its own loudness, so that one token's scale does not fit another.
  void fill(unsigned seed, float low, float high, size_t period) {
    for (size_t i = 0; i < host.size(); ++i) {
      seed = seed * 1103515245u + 12345u;
      const float loud = period ? 1.0f + static_cast<float>(i / period % 5) : 1.0f;
      host[i] = __float2half(loud * (low + (high - low) * static_cast<float>(seed >> 9) / 8388608.0f));
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int hidden = hidden_of(argc > 1 ? argv[1] : "7b");
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 512;
  if (hidden < 1 || hidden > 12000 || tokens < 1) {
    std::fprintf(stderr, "usage: fused_add_rmsnorm [7b|13b|70b|HIDDEN [TOKENS]], HIDDEN at most 12000\n");
    return 2;
  }
  const float epsilon = 1e-5f;
  const size_t count = static_cast<size_t>(tokens) * hidden;
  HalfArray x(count), residual(count), weight(hidden);
  x.fill(1, -1.0f, 1.0f, hidden);
  residual.fill(2, -0.5f, 1.0f, hidden);
  weight.fill(3, 0.5f, 1.5f, 0);
  weight.up();

  cudaStream_t stream;
  cudaEvent_t begin, end;
  need(cudaStreamCreate(&stream), "stream");
  need(cudaEventCreate(&begin), "event");
  need(cudaEventCreate(&end), "event");
  float ms = 0.0f;
  for (int pass = 0; pass < 2; ++pass) {
    x.up();
    residual.up();
    need(cudaDeviceSynchronize(), "upload");
    need(cudaEventRecord(begin, stream), "record");
    need(fused_add_rmsnorm(x.device, residual.device, weight.device, epsilon, tokens, hidden, stream), "launch");
    need(cudaEventRecord(end, stream), "record");
    need(cudaEventSynchronize(end), "kernel");
    need(cudaEventElapsedTime(&ms, begin, end), "time");
  }
  const std::vector<__half> normal = x.down(), sum = residual.down();
  size_t wrong = 0;
  std::vector<double> exact(hidden);
  for (int t = 0; t < tokens; ++t) {
    double square = 0.0;
    for (int i = 0; i < hidden; ++i) {
      const size_t at = static_cast<size_t>(t) * hidden + i;
      exact[i] = static_cast<double>(__half2float(x.host[at])) + __half2float(residual.host[at]);
      square += exact[i] * exact[i];
    }
    const double scale = 1.0 / std::sqrt(square / hidden + epsilon);
    for (int i = 0; i < hidden; ++i) {
      const size_t at = static_cast<size_t>(t) * hidden + i;
      const double normalised = exact[i] * scale * __half2float(weight.host[i]);
      // half a unit in the last place of a half is 4.9e-4
      wrong += !(std::fabs(__half2float(sum[at]) - exact[i]) <= 6e-4 * std::fabs(exact[i]) + 1e-6);
      wrong += !(std::fabs(__half2float(normal[at]) - normalised) <= 5.5e-4 * std::fabs(normalised) + 1e-6);
    }
  }
  std::printf("kernel_ms %.5f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  return wrong ? 1 : 0;
}
