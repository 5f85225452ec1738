#pragma once
#include <hip/hip_runtime.h>

namespace layers {

/// residual += x; x = residual / sqrt(mean(residual^2) + epsilon) * weight. One block a token.
template <typename T, int Block>
__global__ void __launch_bounds__(Block)
    fused_add_rmsnorm_kernel(T* __restrict__ x, T* __restrict__ residual, const T* __restrict__ weight, float epsilon,
                             int hidden) {
  __shared__ float sums[Block];
  T* my_x = x + size_t(blockIdx.x) * hidden;
  T* my_residual = residual + size_t(blockIdx.x) * hidden;

  float square = 0.0f;
  for (int i = threadIdx.x; i < hidden; i += Block) {
    const float value = float(my_x[i]) + float(my_residual[i]);
    my_residual[i] = T(value);
    square += value * value;
  }
  sums[threadIdx.x] = square;
  __syncthreads();
  for (unsigned half = Block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  const float scale = rsqrtf(sums[0] / hidden + epsilon);
  for (int i = threadIdx.x; i < hidden; i += Block) my_x[i] = T(float(my_residual[i]) * scale * float(weight[i]));
}

template <typename T>
hipError_t fused_add_rmsnorm(T* x, T* residual, const T* weight, float epsilon, int tokens, int hidden) {
  if (hidden <= 2048)
    fused_add_rmsnorm_kernel<T, 128><<<tokens, 128>>>(x, residual, weight, epsilon, hidden);
  else
    fused_add_rmsnorm_kernel<T, 256><<<tokens, 256>>>(x, residual, weight, epsilon, hidden);
  return hipGetLastError();
}

}  // namespace layers
