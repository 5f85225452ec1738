// q = A p and s = A^T r, with A n x m.
#include "bicg.h"

namespace bicg {

template <typename Real, int Block>
__global__ void a_times_p(const Real* __restrict__ a, const Real* __restrict__ p, Real* __restrict__ q, int n, int m) {
  const int i = blockIdx.x * Block + threadIdx.x;
  if (i >= n) return;
  Real sum = 0;
  for (int j = 0; j < m; ++j) sum += a[static_cast<size_t>(i) * m + j] * p[j];
  q[i] = sum;
}

template <typename Real, int Block>
__global__ void transposed_times_r(const Real* __restrict__ a, const Real* __restrict__ r, Real* __restrict__ s, int n,
                                   int m) {
  const int j = blockIdx.x * Block + threadIdx.x;
  if (j >= m) return;
  Real sum = 0;
  for (int i = 0; i < n; ++i) sum += a[static_cast<size_t>(i) * m + j] * r[i];
  s[j] = sum;
}

template <typename Real>
cudaError_t step(const Real* a, const Real* p, const Real* r, Real* q, Real* s, int n, int m, cudaStream_t stream) {
  constexpr int block = 256;
  auto blocks = [](int count) { return (count + block - 1) / block; };
  a_times_p<Real, block><<<blocks(n), block, 0, stream>>>(a, p, q, n, m);
  transposed_times_r<Real, block><<<blocks(m), block, 0, stream>>>(a, r, s, n, m);
  return cudaGetLastError();
}

template cudaError_t step<float>(const float*, const float*, const float*, float*, float*, int, int, cudaStream_t);
template cudaError_t step<double>(const double*, const double*, const double*, double*, double*, int, int,
                                  cudaStream_t);

}  // namespace bicg
