#pragma once
#include <cuda_runtime.h>

#include <vector>

/// A = Q R by modified Gram-Schmidt, one column after the other. A is rows x columns, row by row; rows >= columns.
class GramSchmidt {
 public:
  GramSchmidt(int rows, int columns);
  ~GramSchmidt();
  GramSchmidt(const GramSchmidt&) = delete;
  GramSchmidt& operator=(const GramSchmidt&) = delete;

  /// Milliseconds on the device.
  float factorise(const std::vector<float>& a);
  std::vector<float> q() const;
  std::vector<float> r() const;

 private:
  int rows_, columns_;
  float *a_ = nullptr, *q_ = nullptr, *r_ = nullptr;
  cudaEvent_t start_, stop_;
};

void gpu(cudaError_t status);
