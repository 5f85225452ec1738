// The real hipRTC, which needs no GPU, in a process of its own: what it makes, what it says, and what code objects tell
// of their kernels. Skipped where it is not installed.

#include <gtest/gtest.h>

#include "device/hip/api.hpp"
#include "device/hip/code_object.hpp"
#include "device/hip/compile.hpp"

namespace hone::device::hip {
namespace {

using Outcome = std::variant<gpu::Code, BuildLog>;

class Hiprtc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hiprtc() && std::getenv("HONE_MUST_RUN") == nullptr) GTEST_SKIP() << hiprtc().error().message();
    ASSERT_TRUE(hiprtc()) << hiprtc().error().text();
  }
  static gpu::Code code_of(const std::string& source, const std::vector<std::string>& options = {},
                           const std::vector<std::string>& names = {}) {
    auto made = compile(source, options, "gfx90a", names);
    if (auto* code = std::get_if<gpu::Code>(&made)) return std::move(*code);
    ADD_FAILURE() << std::get<BuildLog>(made).text;
    return {};
  }
  static std::string log_of(const std::string& source) {
    const auto made = compile(source, {}, "gfx90a", {});
    return std::holds_alternative<BuildLog>(made) ? std::get<BuildLog>(made).text : "it built";
  }
};

TEST_F(Hiprtc, ACodeObjectTellsWhatItsKernelsTakeAndNeed) {
  const auto code = code_of(
      "struct P { char c; double d; };"
      "extern \"C\" __global__ void __launch_bounds__(128) k(float* a, P p, int n) { __shared__ float s[32];"
      " s[threadIdx.x % 32] = a[threadIdx.x]; __syncthreads(); a[threadIdx.x] = s[n] + p.d; }");
  ASSERT_EQ(code.entries.size(), 1U);
  const auto& kernel = code.entries[0];
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.parameter_bytes, (std::vector<std::size_t>{8, 16, 4})) << "and nothing of what the runtime adds";
  EXPECT_EQ(kernel.numbers.at("local_bytes"), 128);
  EXPECT_EQ(kernel.numbers.at("work_group_size"), 128);
  EXPECT_EQ(kernel.numbers.at("preferred_multiple"), 64);
  EXPECT_GT(kernel.numbers.at("registers"), 0);
  EXPECT_EQ(kernel.numbers.at("spilled_registers"), 0);
}

TEST_F(Hiprtc, VariablesAndInstancesAreKnownByTheNamesOfTheSource) {
  const auto code = code_of(
      "namespace n { __constant__ float filter[4]; __device__ int count; }"
      "template <class T, int N> __global__ void fill(T* out) { out[threadIdx.x] = T(N) * n::filter[0] + n::count; }",
      {}, {"fill<float, 5>"});
  EXPECT_EQ(code.variables.at("n::filter"), "_ZN1n6filterE");
  EXPECT_EQ(code.variables.at("n::count"), "_ZN1n5countE");
  EXPECT_EQ(code.variables.size(), 2U) << "the compiler's own are none of the source's";
  ASSERT_EQ(code.entries.size(), 1U);
  EXPECT_EQ(code.entries[0].name, "fill<float, 5>");
  EXPECT_EQ(code.lowered.at("fill<float, 5>"), code.entries[0].symbol);
}

TEST_F(Hiprtc, HeadersAndOptionsThatHipccTakesAreTaken) {
  code_of(
      "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <cstdint>\n#include <stdio.h>\n#include "
      "<math.h>\n#include <assert.h>\n"
      "__global__ void k(float* a, uint64_t q, __half h, int64_t z) { assert(a[0] == 1); a[0] = sinf(INFINITY) + "
      "FLT_MAX + INT_MAX + N; a[1] = __half2float(h) + (float)M_PI + q + z; printf(\"%d\", 1); }",
      {"-DN=3", "-O3", "-ffast-math"});
}

TEST_F(Hiprtc, AnErrorIsToldAtTheLineOfTheSource) {
  const auto log = log_of("\n__global__ void k(float* a) { a[0] = nonsense; }");
  EXPECT_NE(log.find("kernel.hip:2:"), std::string::npos) << log;
  EXPECT_NE(log.find("nonsense"), std::string::npos) << log;
  EXPECT_NE(log_of("__global__ void k(int* a) { __shared__ int s[20000]; s[threadIdx.x] = 1; __syncthreads(); a[0] = "
                   "s[a[1]]; }")
                .find("exceeds limit (65536)"),
            std::string::npos);
}

TEST_F(Hiprtc, BoundsAreWhatKeepsAKernelFromSpilling) {
  std::string live =
      "(float* a) { float v[80]; for (int i = 0; i < 80; ++i) v[i] = a[i * 64 + threadIdx.x];\n"
      "for (int j = 0; j < 80; ++j) { float s = 0;\n#pragma unroll\nfor (int i = 0; i < 80; ++i) s += "
      "v[i] * v[(i + 1) % 80]; v[j] = s; } for (int i = 0; i < 80; ++i) a[i * 64 + threadIdx.x] = v[i]; }";
  const auto free = code_of("extern \"C\" __global__ void k" + live);
  const auto bound = code_of("extern \"C\" __global__ void __launch_bounds__(64) k" + live);
  ASSERT_EQ(free.entries.size() + bound.entries.size(), 2U);
  EXPECT_EQ(free.entries[0].numbers.at("work_group_size"), 1024) << "the compiler assumes the most";
  EXPECT_EQ(bound.entries[0].numbers.at("work_group_size"), 64);
  EXPECT_LE(bound.entries[0].numbers.at("private_bytes"), free.entries[0].numbers.at("private_bytes"));
}

TEST(CodeObject, WhatIsNoneOrWasCutIsRefused) {
  EXPECT_FALSE(read_code_object(""));
  EXPECT_FALSE(
      read_code_object("\x7f"
                       "ELF and nothing more"));
}

TEST_F(Hiprtc, ACodeObjectThatWasCutAnywhereIsReadOrRefusedAndNeverBeyondItsEnd) {
  const auto whole = code_of("extern \"C\" __global__ void k(float* a) { a[0] = 1; }").images.at(0);
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    const auto read = read_code_object(whole.substr(0, size));
    EXPECT_LE(read ? read->entries.size() : 0U, 1U);
  }
}

}  // namespace
}  // namespace hone::device::hip
