#pragma once
#include <hip/hip_runtime.h>

#include <vector>

/// Sweeps of tridiagonal elimination along the rows of X, then along its columns. `a` couples neighbours, `b` holds the
/// pivots and changes with X.
class Adi {
 public:
  Adi(int n, const std::vector<float>& a);
  ~Adi();
  Adi(const Adi&) = delete;
  Adi& operator=(const Adi&) = delete;

  /// Milliseconds for `steps` steps from the given state.
  float run(const std::vector<float>& x, const std::vector<float>& b, int steps);
  std::vector<float> x() const { return host(x_); }
  std::vector<float> b() const { return host(b_); }

 private:
  void step();
  std::vector<float> host(const float* device) const;

  int n_;
  size_t bytes_;
  dim3 grid_, block_;
  float *a_, *b_, *x_;
  hipEvent_t start_, stop_;
};

void die_on(hipError_t status, const char* file, int line);
#define OK(call) die_on((call), __FILE__, __LINE__)
