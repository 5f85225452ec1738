#include "norm.h"

static __device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// A block takes a token and keeps its sums in dynamic shared memory, so that the second pass need not round them twice.
__global__ void fused_add_rmsnorm_kernel(__half* __restrict__ x, __half* __restrict__ residual,
                                         const __half* __restrict__ weight, float epsilon, int hidden) {
  extern __shared__ float row[];
  __shared__ float sums[32];
  __shared__ float scale;
  const size_t base = static_cast<size_t>(blockIdx.x) * hidden;
  float square = 0.0f;
  for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
    const float value = __half2float(x[base + i]) + __half2float(residual[base + i]);
    residual[base + i] = __float2half(value);
    row[i] = value;
    square += value * value;
  }
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  square = warp_sum(square);
  if (lane == 0) sums[warp] = square;
  __syncthreads();
  if (warp == 0) {
    const int warps = (blockDim.x + 31) / 32;
    float total = lane < warps ? sums[lane] : 0.0f;
    total = warp_sum(total);
    if (lane == 0) scale = rsqrtf(total / hidden + epsilon);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < hidden; i += blockDim.x)
    x[base + i] = __float2half(row[i] * scale * __half2float(weight[i]));
}

cudaError_t fused_add_rmsnorm(__half* x, __half* residual, const __half* weight, float epsilon, int tokens, int hidden,
                              cudaStream_t stream) {
  const int block = hidden < 1024 ? 128 : 512;
  const size_t shared_bytes = hidden * sizeof(float);
  fused_add_rmsnorm_kernel<<<tokens, block, shared_bytes, stream>>>(x, residual, weight, epsilon, hidden);
  return cudaGetLastError();
}
