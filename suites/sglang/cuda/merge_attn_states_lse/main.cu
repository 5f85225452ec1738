// merge_attn_states_lse [7b|13b|70b|HEADS [TOKENS [HEAD_SIZE]]]
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "merge.cuh"

namespace {

void check(cudaError_t code, const char* file, int line) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check((call), __FILE__, __LINE__)

const std::map<std::string, int> kHeads = {{"7b", 32}, {"13b", 40}, {"70b", 64}};

std::vector<float> uniform(size_t count, unsigned seed, float low, float high) {
  std::vector<float> v(count);
  for (float& value : v) {
    seed = seed * 1664525u + 1013904223u;
    value = low + (high - low) * static_cast<float>(seed >> 8) / 16777216.0f;
  }
  return v;
}

/// Some tokens have no keys in the prefix, some none in the suffix; both kinds of infinity occur in practice.
void empty_parts(std::vector<float>& prefix_lse, std::vector<float>& suffix_lse) {
  for (size_t i = 0; i < prefix_lse.size(); i++) {
    if (i % 11 == 3) prefix_lse[i] = i % 2 ? INFINITY : -INFINITY;
    if (i % 11 == 7) suffix_lse[i] = -INFINITY;
  }
}

struct Arrays {
  std::vector<float*> owned;
  ~Arrays() {
    for (float* p : owned) cudaFree(p);
  }
  float* up(const std::vector<float>& host) {
    float* p = blank(host.size());
    CHECK(cudaMemcpy(p, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    return p;
  }
  float* blank(size_t count) {
    float* p = nullptr;
    CHECK(cudaMalloc(&p, count * sizeof(float)));
    owned.push_back(p);
    CHECK(cudaMemset(p, 0xff, count * sizeof(float)));
    return p;
  }
};

/// Runs a kernel with one thread for each of n items.
template <typename Kernel, typename... Args>
void launch(Kernel kernel, int n, int block, Args&&... args) {
  const int grid = (n + block - 1) / block;
  kernel<<<grid, block>>>(std::forward<Args>(args)...);
  CHECK(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string model = argc > 1 ? argv[1] : "7b";
  const auto known = kHeads.find(model);
  const int heads = known != kHeads.end() ? known->second : std::atoi(model.c_str());
  const int tokens = argc > 2 ? std::atoi(argv[2]) : 512;
  const int head_size = argc > 3 ? std::atoi(argv[3]) : 128;
  if (heads < 1 || tokens < 1 || head_size < 1) {
    std::fprintf(stderr, "usage: merge_attn_states_lse [7b|13b|70b|HEADS [TOKENS [HEAD_SIZE]]]\n");
    return 2;
  }
  const size_t pairs = static_cast<size_t>(tokens) * heads, count = pairs * head_size;
  const std::vector<float> prefix = uniform(count, 1, -1, 1), suffix = uniform(count, 2, -1, 1);
  std::vector<float> prefix_lse = uniform(pairs, 3, -2, 5), suffix_lse = uniform(pairs, 4, -2, 5);
  empty_parts(prefix_lse, suffix_lse);
  Arrays memory;
  const MergeArguments m{memory.up(prefix),
                         memory.up(prefix_lse),
                         memory.up(suffix),
                         memory.up(suffix_lse),
                         memory.blank(count),
                         memory.blank(pairs),
                         tokens,
                         heads,
                         head_size};
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  const int total = static_cast<int>(count), repeats = 4;
  launch(merge_attn_states_kernel, total, 128, m);
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < repeats; i++) launch(merge_attn_states_kernel, total, 128, m);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0.0f;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::vector<float> output(count), output_lse(pairs);
  CHECK(cudaMemcpy(output.data(), m.output, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(output_lse.data(), m.output_lse, pairs * sizeof(float), cudaMemcpyDeviceToHost));

  size_t wrong = 0;
  for (size_t i = 0; i < pairs; i++) {
    const double p = std::isinf(prefix_lse[i]) ? 0.0 : std::exp(static_cast<double>(prefix_lse[i]));
    const double s = std::isinf(suffix_lse[i]) ? 0.0 : std::exp(static_cast<double>(suffix_lse[i]));
    wrong += !(std::fabs(output_lse[i] - std::log(p + s)) <= 1e-5);
    for (int d = 0; d < head_size; d++) {
      const size_t at = i * head_size + d;
      wrong += !(std::fabs(output[at] - (p * prefix[at] + s * suffix[at]) / (p + s)) <= 1e-5);
    }
  }
  std::printf("kernel_ms %.5f\n", ms / repeats);
  std::printf("check %s\n", wrong ? "FAILED" : "OK");
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return wrong ? 1 : 0;
}
