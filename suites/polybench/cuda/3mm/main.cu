// G = (A B) (C D): three products with one kernel. A is ni x nk, B nk x nj, C nj x nm, D nm x nl.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "device_buffer.cuh"

constexpr int kTile = 16;

__global__ void matrix_product(const float* left, const float* right, float* out, int rows, int inner, int columns) {
  const int x = threadIdx.x + blockIdx.x * kTile;
  const int y = threadIdx.y + blockIdx.y * kTile;
  if (x >= columns || y >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < inner; k++) sum += left[y * inner + k] * right[k * columns + x];
  out[y * columns + x] = sum;
}

class ThreeProducts {
 public:
  ThreeProducts(int ni, int nj, int nk, int nl, int nm)
      : ni_(ni),
        nj_(nj),
        nk_(nk),
        nl_(nl),
        nm_(nm),
        a_(filled(ni, nk, 5)),
        b_(filled(nk, nj, 7)),
        c_(filled(nj, nm, 11)),
        d_(filled(nm, nl, 13)),
        d_a_(a_),
        d_b_(b_),
        d_c_(c_),
        d_d_(d_),
        d_e_(size_t(ni) * nj),
        d_f_(size_t(nj) * nl),
        d_g_(size_t(ni) * nl) {
    require(cudaStreamCreate(&stream_));
    require(cudaEventCreate(&start_));
    require(cudaEventCreate(&stop_));
  }
  ~ThreeProducts() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
    cudaStreamDestroy(stream_);
  }

  float run() {
    d_e_.poison();
    d_f_.poison();
    d_g_.poison();
    require(cudaDeviceSynchronize());
    require(cudaEventRecord(start_, stream_));
    multiply(d_a_, d_b_, d_e_, ni_, nk_, nj_);
    multiply(d_c_, d_d_, d_f_, nj_, nm_, nl_);
    multiply(d_e_, d_f_, d_g_, ni_, nj_, nl_);
    require(cudaEventRecord(stop_, stream_));
    require(cudaEventSynchronize(stop_));
    float ms = 0.0f;
    require(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

  bool check() const {
    std::vector<double> e, f, g, e_size, f_size, g_size;
    reference(wide(a_), wide(b_), e, ni_, nk_, nj_);
    reference(sizes(wide(a_)), sizes(wide(b_)), e_size, ni_, nk_, nj_);
    reference(wide(c_), wide(d_), f, nj_, nm_, nl_);
    reference(sizes(wide(c_)), sizes(wide(d_)), f_size, nj_, nm_, nl_);
    reference(e, f, g, ni_, nj_, nl_);
    reference(e_size, f_size, g_size, ni_, nj_, nl_);
    const std::vector<float> result = d_g_.download();
    for (size_t i = 0; i < result.size(); i++)
      if (!(std::abs(result[i] - g[i]) <= 1e-6 * g_size[i])) return false;
    return true;
  }

 private:
  static std::vector<float> filled(int rows, int columns, int seed) {
    std::vector<float> m(size_t(rows) * columns);
    unsigned state = 747796405u * seed + 2891336453u;
    for (float& v : m) {
      state = state * 747796405u + 2891336453u;
      v = float((state >> 16) & 0x7fff) / 16384.0f - 0.75f;
    }
    return m;
  }
  static std::vector<double> wide(const std::vector<float>& m) { return {m.begin(), m.end()}; }
  static std::vector<double> sizes(std::vector<double> m) {
    for (double& v : m) v = std::abs(v);
    return m;
  }
  static void reference(const std::vector<double>& l, const std::vector<double>& r, std::vector<double>& out, int rows,
                        int inner, int columns) {
    out.assign(size_t(rows) * columns, 0.0);
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++)
          out[size_t(i) * columns + j] += l[size_t(i) * inner + k] * r[size_t(k) * columns + j];
  }

  void multiply(const DeviceBuffer<float>& left, const DeviceBuffer<float>& right, DeviceBuffer<float>& out, int rows,
                int inner, int columns) {
    const dim3 threads(kTile, kTile);
    const dim3 blocks((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    matrix_product<<<blocks, threads, 0, stream_>>>(left.get(), right.get(), out.get(), rows, inner, columns);
    require(cudaGetLastError());
  }

  int ni_, nj_, nk_, nl_, nm_;
  std::vector<float> a_, b_, c_, d_;
  DeviceBuffer<float> d_a_, d_b_, d_c_, d_d_, d_e_, d_f_, d_g_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

int main(int argc, char** argv) try {
  int size[5] = {512, 512, 512, 512, 512};
  for (int i = 0; i < 5; i++)
    if (argc > 1) size[i] = std::atoi(argv[argc > i + 1 ? i + 1 : 1]);
  for (int n : size)
    if (n < 1) throw std::runtime_error("usage: 3mm [ni [nj nk nl nm]]");
  ThreeProducts program(size[0], size[1], size[2], size[3], size[4]);
  program.run();
  const float ms = program.run();
  const bool ok = program.check();
  std::cout << "kernel_ms " << ms << "\ncheck " << (ok ? "OK" : "FAILED") << std::endl;
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << std::endl;
  return 2;
}
