#pragma once
#include <cuda_runtime.h>

namespace bicg {
/// q = A p and s = A^T r; all pointers are device pointers, `a` is n x m row by row.
template <typename Real>
cudaError_t step(const Real* a, const Real* p, const Real* r, Real* q, Real* s, int n, int m, cudaStream_t stream);
}  // namespace bicg
