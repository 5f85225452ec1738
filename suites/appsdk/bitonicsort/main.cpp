#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <random>

#include "options.hpp"
#include "sorter.hpp"

namespace {

/// Random keys of which about one in eight occurs more than once, both extremes among them.
std::vector<cl_uint> make_keys(std::size_t length) {
  std::mt19937 random(7);
  std::vector<cl_uint> keys(length);
  for (std::size_t i = 0; i < length; i++) keys[i] = (i > 0 && i % 8 == 0) ? keys[random() % i] : random();
  keys.front() = CL_UINT_MAX;
  keys[length / 2] = 0u;
  return keys;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse_options(argc, argv);
  const std::vector<cl_uint> keys = make_keys(options.length);
  std::vector<cl_uint> expected = keys;
  if (options.ascending)
    std::sort(expected.begin(), expected.end());
  else
    std::sort(expected.begin(), expected.end(), std::greater<>());

  BitonicSorter sorter;
  std::vector<cl_uint> sorted = keys;
  sorter.sort(sorted, options.ascending);
  bool right = sorted == expected;
  double best = 0.0;
  for (int run = 0; run < 3; run++) {
    sorted = keys;
    const double ms = sorter.sort(sorted, options.ascending);
    best = run == 0 ? ms : std::min(best, ms);
    right = right && sorted == expected;
  }
  std::printf("kernel_ms %.3f\n", best);
  std::printf("check %s\n", right ? "OK" : "FAILED");
  return right ? 0 : 1;
} catch (const cl::BuildError& error) {
  for (const auto& [device, log] : error.getBuildLog()) std::fprintf(stderr, "%s\n", log.c_str());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bitonicsort: %s\n", error.what());
  return 2;
}
