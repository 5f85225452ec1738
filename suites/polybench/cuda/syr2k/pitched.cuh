#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define SAFE(call) safe((call), #call, __LINE__)
inline void safe(cudaError_t status, const char* call, int line) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(status));
    std::exit(2);
  }
}

/// A matrix whose rows start at aligned addresses; the device sees it through this view, `pitch` in floats.
struct View {
  float* data;
  int pitch;
  __device__ float& operator()(int row, int column) const { return data[row * pitch + column]; }
};

class Pitched {
 public:
  Pitched(int rows, int columns) : rows_(rows), width_(columns * sizeof(float)) {
    SAFE(cudaMallocPitch(&data_, &pitch_, width_, rows));
    SAFE(cudaMemset2D(data_, pitch_, 0xff, width_, rows));
  }
  ~Pitched() { cudaFree(data_); }
  Pitched(const Pitched&) = delete;
  Pitched& operator=(const Pitched&) = delete;
  void set(const std::vector<float>& host) {
    SAFE(cudaMemcpy2D(data_, pitch_, host.data(), width_, width_, rows_, cudaMemcpyHostToDevice));
  }
  void get(std::vector<float>& host) const {
    SAFE(cudaMemcpy2D(host.data(), width_, data_, pitch_, width_, rows_, cudaMemcpyDeviceToHost));
  }
  View view() const { return {data_, static_cast<int>(pitch_ / sizeof(float))}; }

 private:
  int rows_;
  size_t width_, pitch_ = 0;
  float* data_ = nullptr;
};
