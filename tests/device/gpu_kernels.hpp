#pragma once
// A kernel k(const T* in, T* out, int n) over 0, 1, 2, ... and what it should make of them.

#include <cmath>
#include <functional>
#include <numeric>

#include "device/gpu_session.hpp"

namespace hone {

class GpuKernels : public GpuSession {
 protected:
  using Ints = std::vector<int>;
  using Floats = std::vector<float>;

  template <class T>
  std::vector<T> ramp(std::size_t n) {
    std::vector<T> out(n);
    std::iota(out.begin(), out.end(), T{0});
    return out;
  }
  /// k(const T* in, T* out, int n) over n values 0, 1, 2, ...; `block` threads each, the last block cut where n says
  /// so.
  template <class T>
  std::vector<T> map(const std::string& type, const std::string& source, std::size_t n = 256, std::size_t block = 64,
                     std::vector<ArgumentValue> more = {}) {
    const auto id = build(source);
    if (id.empty()) return {};
    load({data_of("in", type, ramp<T>(n)), data_of("out", type, std::vector<T>(n, T(-1)))});
    std::vector<ArgumentValue> arguments = {buffer_of("in"), buffer_of("out"), scalar_of(static_cast<int>(n))};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto threads = (n + block - 1) / block * block;
    const auto ran = run(id, {{"k", arguments, {threads}, {block}, {}}}, {"out"});
    if (ran.outputs.empty()) return {};
    EXPECT_EQ(ran.printed, "") << source;
    EXPECT_TRUE(ran.broken_guards.empty());
    return values_of<T>(ran.outputs.at("out"));
  }
  Ints ints(const std::string& body, std::size_t n = 256, std::size_t block = 64,
            std::vector<ArgumentValue> more = {}) {
    return map<int>("int", "extern \"C\" __global__ void k(const int* in, int* out, int n) {\n" + kIndex + body + "}",
                    n, block, std::move(more));
  }
  Floats floats(const std::string& body, std::size_t n = 256) {
    return map<float>(
        "float", "extern \"C\" __global__ void k(const float* in, float* out, int n) {\n" + kIndex + body + "}", n);
  }
  template <class T>
  void expect(const std::vector<T>& got, const std::function<T(int)>& wanted, double relative = 0) {
    ASSERT_FALSE(got.empty());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const T want = wanted(static_cast<int>(i));
      if (relative == 0)
        ASSERT_EQ(got[i], want) << "at " << i;
      else
        ASSERT_NEAR(static_cast<double>(got[i]), static_cast<double>(want),
                    relative * (1 + std::abs(static_cast<double>(want))))
            << "at " << i;
    }
  }
  void expect_ints(const Ints& got, const std::function<int(int)>& wanted) { expect<int>(got, wanted); }
  void expect_floats(const Floats& got, const std::function<float(int)>& wanted, double relative = 0) {
    expect<float>(got, wanted, relative);
  }

  const std::string kIndex = "int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x; (void)t;\n";
};

}  // namespace hone
