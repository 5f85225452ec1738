// merge_attn_states_lse [7b|13b|70b|HEADS [TOKENS [HEAD_SIZE]]]
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "merge.h"

namespace {

#define REQUIRE(call)                                                                         \
  do {                                                                                        \
    hipError_t status = (call);                                                               \
    if (status != hipSuccess) {                                                               \
      std::fprintf(stderr, "%s (line %d): %s\n", #call, __LINE__, hipGetErrorString(status)); \
      std::exit(2);                                                                           \
    }                                                                                         \
  } while (0)

enum Array { Prefix, PrefixLse, Suffix, SuffixLse, Output, OutputLse, Arrays };

std::vector<float> spread(size_t count, unsigned seed, float from, float to) {
  std::vector<float> v(count);
  for (float& value : v) {
    seed = seed * 22695477u + 1u;
    value = from + (to - from) * float(seed >> 8) / 16777216.0f;
  }
  return v;
}

int heads_of(const std::string& model) {
  if (model == "7b") return 32;
  if (model == "13b") return 40;
  if (model == "70b") return 64;
  return std::atoi(model.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const int heads = heads_of(argc > 1 ? argv[1] : "7b");
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 512;
  const int head_size = argc > 3 ? std::atoi(argv[3]) : 128;
  if (heads < 1 || heads > 65535 || tokens < 1 || head_size < 1) {
    std::fprintf(stderr, "usage: merge_attn_states_lse [7b|13b|70b|HEADS [TOKENS [HEAD_SIZE]]]\n");
    return 2;
  }
  const size_t pairs = size_t(tokens) * heads, count = pairs * head_size;
  std::vector<float> host[Arrays] = {spread(count, 1, -1, 1),        spread(pairs, 2, -3, 4),
                                     spread(count, 3, -1, 1),        spread(pairs, 4, -3, 4),
                                     std::vector<float>(count, NAN), std::vector<float>(pairs, NAN)};
  for (size_t i = 5; i < pairs; i += 13) host[PrefixLse][i] = i % 2 ? -INFINITY : INFINITY;  // nothing in the prefix
  for (size_t i = 9; i < pairs; i += 13) host[SuffixLse][i] = -INFINITY;                     // nothing after it
  float* device[Arrays];
  for (int i = 0; i < Arrays; i++) {
    REQUIRE(hipMalloc(&device[i], host[i].size() * sizeof(float)));
    REQUIRE(hipMemcpy(device[i], host[i].data(), host[i].size() * sizeof(float), hipMemcpyHostToDevice));
  }
  hipEvent_t start, stop;
  REQUIRE(hipEventCreate(&start));
  REQUIRE(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 3; pass++) {
    REQUIRE(hipEventRecord(start));
    merge_attn_states(device[Prefix], device[PrefixLse], device[Suffix], device[SuffixLse], device[Output],
                      device[OutputLse], tokens, heads, head_size);
    REQUIRE(hipGetLastError());
    REQUIRE(hipEventRecord(stop));
    REQUIRE(hipEventSynchronize(stop));
    REQUIRE(hipEventElapsedTime(&ms, start, stop));
  }
  for (int i : {Output, OutputLse})
    REQUIRE(hipMemcpy(host[i].data(), device[i], host[i].size() * sizeof(float), hipMemcpyDeviceToHost));

  size_t wrong = 0;
  for (size_t i = 0; i < pairs; i++) {
    const double p = std::isinf(host[PrefixLse][i]) ? 0.0 : std::exp(double(host[PrefixLse][i]));
    const double s = std::isinf(host[SuffixLse][i]) ? 0.0 : std::exp(double(host[SuffixLse][i]));
    wrong += !(std::fabs(host[OutputLse][i] - std::log(p + s)) <= 1e-5);
    for (size_t at = i * head_size; at < (i + 1) * head_size; at++)
      wrong += !(std::fabs(host[Output][at] - (p * host[Prefix][at] + s * host[Suffix][at]) / (p + s)) <= 1e-5);
  }
  std::printf("kernel_ms %.5f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  for (float* p : device) REQUIRE(hipFree(p));
  REQUIRE(hipEventDestroy(start));
  REQUIRE(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
