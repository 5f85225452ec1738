// fastwalshtransform [LENGTH]: the Walsh-Hadamard transform of LENGTH values, padded with zeros to a power of two.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "gpu.hpp"
#include "walsh.hpp"
#include "walsh_kernel.h"

static double transform(Gpu& gpu, const Array<float>& array, int length) {
  double ms = 0.0;
  for (int step = 1; step < length; step *= 2)
    ms += gpu.run("walsh_pass", Range{static_cast<std::size_t>(length) / 2}, array, step);
  return ms;
}

static bool same(const std::vector<float>& got, const std::vector<double>& expected) {
  // every output is the sum of all inputs with signs: it grows with the square root of their number
  const double tolerance = 2e-6 * std::sqrt(static_cast<double>(got.size()));
  double worst = 0.0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); i++) {
    const double error = std::fabs(got[i] - expected[i]);
    worst = std::max(worst, error);
    if (!(error <= tolerance)) wrong++;
  }
  std::printf("largest error %.2e, allowed %.2e, %zu wrong\n", worst, tolerance, wrong);
  return wrong == 0;
}

int main(int argc, char** argv) {
  const long length = argc > 1 ? std::atol(argv[1]) : 1l << 22;
  if (length < 2 || length > 1l << 28) {
    std::fprintf(stderr, "usage: fastwalshtransform [LENGTH]\n");
    return 2;
  }
  try {
    const std::vector<float> values = make_values(length);
    Gpu gpu(walsh_source);
    Array<float> array(gpu.context(), values.size());
    double best = 0.0;
    for (int run = 0; run <= 3; run++) {
      gpu.write(array, values);
      const double ms = transform(gpu, array, static_cast<int>(values.size()));
      if (run == 1 || (run > 1 && ms < best)) best = ms;
    }
    std::vector<float> got(values.size(), NAN);
    gpu.read(array, got);
    std::printf("kernel_ms %.3f\n", best);
    const bool right = same(got, reference_walsh(values));
    std::printf("check %s\n", right ? "OK" : "FAILED");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fastwalshtransform: %s\n", error.what());
    return 2;
  }
}
