// silu_and_mul [7b|13b|70b|WIDTH [TOKENS]]: out = silu(gate) * up, one thread a result, halves in memory.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

template <typename T>
__device__ T silu(const T x) {
  return x / (T(1) + expf(-x));
}

__global__ void silu_and_mul_kernel(const __half* __restrict__ input, __half* __restrict__ output, const int tokens,
                                    const int width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y;
  if (column >= width || token >= tokens) return;
  const size_t row = size_t(token) * 2 * width;
  const float gate = __half2float(input[row + column]);
  const float up = __half2float(input[row + width + column]);
  output[size_t(token) * width + column] = __float2half(silu(gate) * up);
}

static void check_hip(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "silu_and_mul: %s: %s\n", what, hipGetErrorString(status));
  std::exit(2);
}

static int width_from(const char* text) {
  static const struct {
    const char* name;
    int width;
  } models[] = {{"7b", 11008}, {"13b", 13824}, {"70b", 28672}};
  for (const auto& model : models)
    if (!std::strcmp(model.name, text)) return model.width;
  return std::atoi(text);
}

int main(int argc, char** argv) {
  const int width = width_from(argc > 1 ? argv[1] : "7b");
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 256;
  if (width < 1 || tokens < 1 || tokens > 65535) {
    std::fprintf(stderr, "usage: silu_and_mul [7b|13b|70b|WIDTH [TOKENS]]\n");
    return 2;
  }
  std::vector<__half> input(size_t(tokens) * width * 2), output(size_t(tokens) * width);
  for (size_t i = 0; i < input.size(); i++) {
    const unsigned h = unsigned(i) * 2654435761u;
    input[i] = __float2half(float(h >> 12) / 131072.0f - 4.0f);
  }
  const size_t in_bytes = input.size() * sizeof(__half), out_bytes = output.size() * sizeof(__half);
  __half *d_input, *d_output;
  check_hip(hipMalloc(&d_input, in_bytes), "hipMalloc");
  check_hip(hipMalloc(&d_output, out_bytes), "hipMalloc");
  check_hip(hipMemcpy(d_input, input.data(), in_bytes, hipMemcpyHostToDevice), "upload");
  check_hip(hipMemset(d_output, 0xff, out_bytes), "hipMemset");

  constexpr int threads = 256;
  const dim3 grid((width + threads - 1) / threads, tokens);
  hipEvent_t start, stop;
  check_hip(hipEventCreate(&start), "hipEventCreate");
  check_hip(hipEventCreate(&stop), "hipEventCreate");
  float best = INFINITY;
  for (int run = 0; run < 4; run++) {
    check_hip(hipEventRecord(start), "hipEventRecord");
    hipLaunchKernelGGL(silu_and_mul_kernel, grid, dim3(threads), 0, 0, d_input, d_output, tokens, width);
    check_hip(hipGetLastError(), "launch");
    check_hip(hipEventRecord(stop), "hipEventRecord");
    check_hip(hipEventSynchronize(stop), "kernel");
    float ms = 0.0f;
    check_hip(hipEventElapsedTime(&ms, start, stop), "hipEventElapsedTime");
    best = std::fmin(best, ms);
  }
  check_hip(hipMemcpy(output.data(), d_output, out_bytes, hipMemcpyDeviceToHost), "download");

  size_t wrong = 0;
  for (int t = 0; t < tokens; t++) {
    const __half *gate = &input[size_t(t) * 2 * width], *up = gate + width;
    for (int i = 0; i < width; i++) {
      const double x = __half2float(gate[i]), exact = x / (1.0 + std::exp(-x)) * __half2float(up[i]);
      wrong += !(std::fabs(__half2float(output[size_t(t) * width + i]) - exact) <= 1e-3 * (std::fabs(exact) + 1e-3));
    }
  }
  std::printf("kernel_ms %.5f\ncheck %s\n", best, wrong ? "FAILED" : "OK");
  check_hip(hipFree(d_input), "hipFree");
  check_hip(hipFree(d_output), "hipFree");
  check_hip(hipEventDestroy(start), "hipEventDestroy");
  check_hip(hipEventDestroy(stop), "hipEventDestroy");
  return wrong ? 1 : 0;
}
