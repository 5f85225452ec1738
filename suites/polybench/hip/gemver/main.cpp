#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

#include "gemver_kernels.h"

namespace {

[[noreturn]] void quit(const char* message) {
  std::fprintf(stderr, "gemver: %s\n", message);
  std::exit(2);
}
void ok(hipError_t status) {
  if (status != hipSuccess) quit(hipGetErrorString(status));
}

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

class Vector {
 public:
  explicit Vector(Floats host) : host_(std::move(host)) {
    ok(hipMalloc(&device_, bytes()));
    reset();
  }
  ~Vector() { (void)hipFree(device_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  operator float*() const { return device_; }
  float operator[](size_t i) const { return host_[i]; }
  void reset() { ok(hipMemcpy(device_, host_.data(), bytes(), hipMemcpyHostToDevice)); }
  Floats fetch() const {
    Floats copy(host_.size());
    ok(hipMemcpy(copy.data(), device_, bytes(), hipMemcpyDeviceToHost));
    return copy;
  }

 private:
  size_t bytes() const { return host_.size() * sizeof(float); }
  Floats host_;
  float* device_ = nullptr;
};

Floats numbers(size_t count, unsigned seed) {
  Floats v(count);
  for (float& value : v) {
    seed = seed * 134775813u + 1u;
    value = float(seed >> 8) / 8388608.0f - 1.0f;
  }
  return v;
}

bool close(const Floats& got, const Doubles& exact, const Doubles& size, double tolerance) {
  for (size_t i = 0; i < got.size(); i++)
    if (!(std::fabs(got[i] - exact[i]) <= tolerance * size[i])) return false;
  return true;
}

template <typename Work>
float milliseconds(Work&& work) {
  hipEvent_t start, stop;
  float ms = 0.0f;
  ok(hipEventCreate(&start));
  ok(hipEventCreate(&stop));
  ok(hipEventRecord(start));
  work();
  ok(hipGetLastError());
  ok(hipEventRecord(stop));
  ok(hipEventSynchronize(stop));
  ok(hipEventElapsedTime(&ms, start, stop));
  ok(hipEventDestroy(start));
  ok(hipEventDestroy(stop));
  return ms;
}

}  // namespace

int main(int argc, char** argv) {
  const long asked = argc > 1 ? std::atol(argv[1]) : 4096;
  if (asked < 1 || asked > 30000) quit("usage: gemver [n], 1 to 30000");
  const size_t n = asked;
  const float alpha = 1.5f, beta = 1.2f;
  Vector A(numbers(n * n, 1)), u1(numbers(n, 2)), v1(numbers(n, 3)), u2(numbers(n, 4)), v2(numbers(n, 5)),
      x(numbers(n, 6)), y(numbers(n, 7)), z(numbers(n, 8)), w(Floats(n, NAN));
  const unsigned threads = 256, groups = (n + threads - 1) / threads;
  auto work = [&] {
    gemver_update<<<dim3(groups, n), threads>>>(A, u1, v1, u2, v2, n);
    gemver_x<<<groups, threads>>>(A, x, y, z, beta, n);
    gemver_w<<<groups, threads>>>(A, x, w, alpha, n);
  };
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    for (Vector* changed : {&A, &x, &w}) changed->reset();
    ms = milliseconds(work);
  }

  Doubles a_exact(n * n), a_size(n * n), x_exact(n), x_size(n), w_exact(n), w_size(n);
  for (size_t i = 0; i < n; i++) {
    x_exact[i] = double(x[i]) + z[i];
    x_size[i] = std::fabs(x[i]) + std::fabs(z[i]);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      const double first = double(u1[i]) * v1[j], second = double(u2[i]) * v2[j];
      const size_t at = i * n + j;
      a_exact[at] = A[at] + first + second;
      a_size[at] = std::fabs(A[at]) + std::fabs(first) + std::fabs(second);
      x_exact[j] += beta * a_exact[at] * y[i];
      x_size[j] += beta * a_size[at] * std::fabs(y[i]);
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      w_exact[i] += alpha * a_exact[i * n + j] * x_exact[j];
      w_size[i] += alpha * a_size[i * n + j] * x_size[j];
    }
  const bool good = close(A.fetch(), a_exact, a_size, 1e-6) && close(x.fetch(), x_exact, x_size, 1e-5) &&
                    close(w.fetch(), w_exact, w_size, 1e-6);
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, good ? "OK" : "FAILED");
  return good ? 0 : 1;
}
