#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <vector>

#include "kernels.hpp"

using Host = std::vector<float>;

static void check(hipError_t e) {
  if (e != hipSuccess) {
    std::cerr << "HIP: " << hipGetErrorName(e) << ": " << hipGetErrorString(e) << std::endl;
    std::exit(2);
  }
}

static Host numbers(int rows, int columns, int seed) {
  Host m(size_t(rows) * columns);
  for (size_t i = 0; i < m.size(); i++) m[i] = float(int((i * 7919 + seed * 104729) % 4001) - 1900) / 2000.0f;
  return m;
}

static float* device(const Host& host) {
  float* p;
  check(hipMalloc(&p, host.size() * sizeof(float)));
  check(hipMemcpy(p, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice));
  return p;
}

static float* blank(size_t count) { return device(Host(count, NAN)); }

static double timed(const std::function<void()>& work) {
  hipEvent_t from, to;
  float ms;
  check(hipEventCreate(&from));
  check(hipEventCreate(&to));
  check(hipEventRecord(from));
  work();
  check(hipEventRecord(to));
  check(hipEventSynchronize(to));
  check(hipEventElapsedTime(&ms, from, to));
  check(hipEventDestroy(from));
  check(hipEventDestroy(to));
  return ms;
}

/// Values and, in the second half, the sums of the terms' sizes.
struct Exact {
  std::vector<double> value, size;
  explicit Exact(const Host& m) : value(m.begin(), m.end()), size(m.begin(), m.end()) {
    for (double& s : size) s = std::fabs(s);
  }
  Exact(const Exact& l, const Exact& r, int rows, int inner, int columns)
      : value(size_t(rows) * columns), size(size_t(rows) * columns) {
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < inner; k++)
        for (int j = 0; j < columns; j++) {
          value[size_t(i) * columns + j] += l.value[size_t(i) * inner + k] * r.value[size_t(k) * columns + j];
          size[size_t(i) * columns + j] += l.size[size_t(i) * inner + k] * r.size[size_t(k) * columns + j];
        }
  }
};

int main(int argc, char** argv) {
  int sizes[5];
  for (int i = 0; i < 5; i++) sizes[i] = argc > i + 1 ? std::atoi(argv[i + 1]) : i == 0 ? 512 : sizes[0];
  for (int s : sizes)
    if (s < 1) return std::cerr << "usage: 3mm [ni [nj nk nl nm]]\n", 2;
  const auto [ni, nj, nk, nl, nm] = sizes;
  const Host a = numbers(ni, nk, 1), b = numbers(nk, nj, 2), c = numbers(nj, nm, 3), d = numbers(nm, nl, 4);
  float *d_a = device(a), *d_b = device(b), *d_c = device(c), *d_d = device(d);
  float *d_e = blank(size_t(ni) * nj), *d_f = blank(size_t(nj) * nl), *d_g = blank(size_t(ni) * nl);

  const dim3 threads(32, 8);
  auto blocks = [&](int columns, int rows) {
    return dim3((columns + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  };
  const dim3 e_grid = blocks(nj, ni), f_grid = blocks(nl, nj), g_grid = blocks(nl, ni);
  const int n_i = ni, n_j = nj, n_k = nk, n_l = nl, n_m = nm;
  auto all = [&] {
    mm3_e<<<e_grid, threads>>>(d_a, d_b, d_e, n_i, n_j, n_k);
    mm3_f<<<f_grid, threads>>>(d_c, d_d, d_f, n_j, n_l, n_m);
    mm3_g<<<g_grid, threads>>>(d_e, d_f, d_g, n_i, n_l, n_j);
    check(hipGetLastError());
  };
  all();
  const double ms = timed(all);

  Host g(size_t(ni) * nl);
  check(hipMemcpy(g.data(), d_g, g.size() * sizeof(float), hipMemcpyDeviceToHost));
  const Exact e_exact(Exact(a), Exact(b), ni, nk, nj), f_exact(Exact(c), Exact(d), nj, nm, nl),
      g_exact(e_exact, f_exact, ni, nj, nl);
  size_t wrong = 0;
  for (size_t i = 0; i < g.size(); i++) wrong += !(std::fabs(g[i] - g_exact.value[i]) <= 1e-6 * g_exact.size[i]);
  std::cout << "kernel_ms " << ms << "\ncheck " << (wrong ? "FAILED" : "OK") << "\n";
  for (float* p : {d_a, d_b, d_c, d_d, d_e, d_f, d_g}) check(hipFree(p));
  return wrong ? 1 : 0;
}
