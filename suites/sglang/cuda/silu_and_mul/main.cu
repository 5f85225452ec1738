// silu_and_mul [7b|13b|70b|WIDTH [TOKENS [half|float]]]: the gated activation between the two halves of a language
// model's feed-forward layer. The models' names stand for the width of that layer.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "activation.cuh"

#define CUDA_OK(expr)                                                                   \
  do {                                                                                  \
    if (cudaError_t err = (expr); err != cudaSuccess) {                                 \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
      std::exit(2);                                                                     \
    }                                                                                   \
  } while (false)

static int width_of(const std::string& model) {
  if (model == "7b") return 11008;
  if (model == "13b") return 13824;
  if (model == "70b") return 28672;
  return std::atoi(model.c_str());
}

template <typename T>
int run(int tokens, int width) {
  std::vector<T> in(size_t(tokens) * 2 * width), out(size_t(tokens) * width);
  unsigned state = 5;
  for (T& value : in) {
    state = state * 1664525u + 1013904223u;
    value = T(float(state >> 8) / 2097152.0f - 4.0f);  // -4 to 4: both ends of the sigmoid
  }
  T *d_in = nullptr, *d_out = nullptr;
  CUDA_OK(cudaMalloc(&d_in, in.size() * sizeof(T)));
  CUDA_OK(cudaMalloc(&d_out, out.size() * sizeof(T)));
  CUDA_OK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemset(d_out, 0xff, out.size() * sizeof(T)));

  cudaStream_t stream;
  cudaEvent_t start, stop;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaEventCreate(&start));
  CUDA_OK(cudaEventCreate(&stop));
  const int repeats = 5;
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(activation::silu_and_mul(d_out, d_in, tokens, width, stream));
  CUDA_OK(cudaEventRecord(start, stream));
  for (int r = 0; r < repeats; ++r) CUDA_OK(activation::silu_and_mul(d_out, d_in, tokens, width, stream));
  CUDA_OK(cudaEventRecord(stop, stream));
  CUDA_OK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CUDA_OK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_OK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));

  const double tolerance = sizeof(T) == 2 ? 1e-3 : 2e-6;
  size_t wrong = 0;
  for (int t = 0; t < tokens; ++t)
    for (int i = 0; i < width; ++i) {
      const double x = float(in[size_t(t) * 2 * width + i]), y = float(in[size_t(t) * 2 * width + width + i]);
      const double exact = x / (1.0 + std::exp(-x)) * y;
      const double got = float(out[size_t(t) * width + i]);
      if (!(std::fabs(got - exact) <= tolerance * (std::fabs(exact) + 1e-3))) ++wrong;
    }
  std::printf("kernel_ms %.5f\ncheck %s\n", ms / repeats, wrong ? "FAILED" : "OK");
  CUDA_OK(cudaFree(d_in));
  CUDA_OK(cudaFree(d_out));
  CUDA_OK(cudaEventDestroy(start));
  CUDA_OK(cudaEventDestroy(stop));
  CUDA_OK(cudaStreamDestroy(stream));
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  const int width = width_of(argc > 1 ? argv[1] : "7b");
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 256;
  const std::string type = argc > 3 ? argv[3] : "half";
  if (width < 1 || tokens < 1 || (type != "half" && type != "float")) {
    std::fprintf(stderr, "usage: silu_and_mul [7b|13b|70b|WIDTH [TOKENS [half|float]]]\n");
    return 2;
  }
  return type == "half" ? run<__half>(tokens, width) : run<float>(tokens, width);
}
