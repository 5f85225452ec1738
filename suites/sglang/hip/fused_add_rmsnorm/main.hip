// fused_add_rmsnorm [7b|13b|70b|HIDDEN [TOKENS]]: single precision.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "rmsnorm.h"

static void guard(hipError_t status) {
  if (status != hipSuccess) {
    std::cerr << "fused_add_rmsnorm: " << hipGetErrorString(status) << '\n';
    std::exit(2);
  }
}

static int hidden_size(const std::string& model) {
  return model == "7b" ? 4096 : model == "13b" ? 5120 : model == "70b" ? 8192 : std::atoi(model.c_str());
}

/// Louder and quieter tokens, so that no token fits another's scale.
static std::vector<float> activations(int tokens, int hidden, double pitch) {
  std::vector<float> v(size_t(tokens) * hidden);
  for (size_t i = 0; i < v.size(); i++)
    v[i] = float((1.0 + double(i / hidden % 7)) * std::sin(pitch * double(i) + 0.2));
  return v;
}

int main(int argc, char** argv) {
  const int hidden = hidden_size(argc > 1 ? argv[1] : "7b");
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 512;
  if (hidden < 1 || tokens < 1) {
    std::cerr << "usage: fused_add_rmsnorm [7b|13b|70b|HIDDEN [TOKENS]]\n";
    return 2;
  }
  const float epsilon = 1e-5f;
  const std::vector<float> x = activations(tokens, hidden, 0.731), residual = activations(tokens, hidden, 1.193);
  std::vector<float> weight(hidden);
  for (int i = 0; i < hidden; i++) weight[i] = 0.5f + float(i * 37 % 101) / 100.0f;
  const size_t bytes = x.size() * sizeof(float);
  float *d_x, *d_residual, *d_weight;
  guard(hipMalloc(&d_x, bytes));
  guard(hipMalloc(&d_residual, bytes));
  guard(hipMalloc(&d_weight, hidden * sizeof(float)));
  guard(hipMemcpy(d_weight, weight.data(), hidden * sizeof(float), hipMemcpyHostToDevice));
  hipEvent_t start, stop;
  guard(hipEventCreate(&start));
  guard(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    guard(hipMemcpy(d_x, x.data(), bytes, hipMemcpyHostToDevice));
    guard(hipMemcpy(d_residual, residual.data(), bytes, hipMemcpyHostToDevice));
    guard(hipEventRecord(start));
    guard(layers::fused_add_rmsnorm<float>(d_x, d_residual, d_weight, epsilon, tokens, hidden));
    guard(hipEventRecord(stop));
    guard(hipEventSynchronize(stop));
    guard(hipEventElapsedTime(&ms, start, stop));
  }
  std::vector<float> normal(x.size()), sum(x.size());
  guard(hipMemcpy(normal.data(), d_x, bytes, hipMemcpyDeviceToHost));
  guard(hipMemcpy(sum.data(), d_residual, bytes, hipMemcpyDeviceToHost));

  size_t wrong = 0;
  for (int t = 0; t < tokens; t++) {
    const size_t first = size_t(t) * hidden;
    double square = 0.0;
    for (int i = 0; i < hidden; i++) {
      const double value = double(x[first + i]) + residual[first + i];
      square += value * value;
    }
    const double scale = 1.0 / std::sqrt(square / hidden + epsilon);
    for (int i = 0; i < hidden; i++) {
      const double value = double(x[first + i]) + residual[first + i], exact = value * scale * weight[i];
      const double size = std::fabs(x[first + i]) + std::fabs(residual[first + i]);
      wrong += !(std::fabs(sum[first + i] - value) <= 1e-6 * size);
      wrong += !(std::fabs(normal[first + i] - exact) <= 1e-5 * std::fabs(exact) + 1e-6 * size * scale);
    }
  }
  std::cout << "kernel_ms " << ms << "\ncheck " << (wrong ? "FAILED" : "OK") << '\n';
  guard(hipFree(d_x));
  guard(hipFree(d_residual));
  guard(hipFree(d_weight));
  guard(hipEventDestroy(start));
  guard(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
