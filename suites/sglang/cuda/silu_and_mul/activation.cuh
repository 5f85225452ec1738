#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace activation {

__device__ inline float to_float(float v) { return v; }
__device__ inline float to_float(__half v) { return __half2float(v); }
template <typename T>
__device__ inline T from_float(float v);
template <>
__device__ inline float from_float<float>(float v) {
  return v;
}
template <>
__device__ inline __half from_float<__half>(float v) {
  return __float2half(v);
}

/// out[token][i] = silu(in[token][i]) * in[token][width + i]. A block takes a token; its threads stride over the width.
template <typename T, int Threads>
__global__ void silu_and_mul_kernel(T* __restrict__ out, const T* __restrict__ in, const int width) {
  const size_t token = blockIdx.x;
  const T* gate = in + token * 2 * width;
  const T* up = gate + width;
  for (int i = threadIdx.x; i < width; i += Threads) {
    const float x = to_float(gate[i]);
    const float y = to_float(up[i]);
    out[token * width + i] = from_float<T>(x / (1.0f + expf(-x)) * y);
  }
}

template <typename T>
cudaError_t silu_and_mul(T* out, const T* in, int tokens, int width, cudaStream_t stream) {
  if (width >= 1024) {
    silu_and_mul_kernel<T, 1024><<<tokens, 1024, 0, stream>>>(out, in, width);
  } else {
    silu_and_mul_kernel<T, 128><<<tokens, 128, 0, stream>>>(out, in, width);
  }
  return cudaGetLastError();
}

}  // namespace activation
