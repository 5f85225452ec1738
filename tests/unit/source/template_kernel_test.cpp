// Kernels that are templates are taken out as the instance that the application launches.
#include <gtest/gtest.h>

#include "source/extract.hpp"

namespace hone::source {
namespace {

Extraction instance_taken(const Files& files, const std::string& kernel) {
  auto out = extract(files, {{kernel}, {}, {}});
  EXPECT_TRUE(out.has_value()) << (out ? "" : out.error().text());
  return out ? *out : Extraction();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const kTemplateKernel =
    "template <typename T> __device__ T twice(T x) { return x + x; }\n"
    "template <typename T, int Block>\n"
    "__global__ void scale(const T* x, T* y, int n) {\n"
    "  const int i = blockIdx.x * Block + threadIdx.x;\n"
    "  if (i < n) y[i] = twice(x[i]);\n"
    "}\n";

TEST(TemplateKernel, IsTakenWithTheArgumentsOfItsLaunch) {
  const auto one = instance_taken(
      {{"a.cu", std::string(kTemplateKernel) + "constexpr int width = 128;\nvoid go(double* x, double* y, int n) {\n"
                                               "  scale<double, width><<<n / width, width>>>(x, y, n);\n}\n"}},
      "scale");
  EXPECT_TRUE(holds(one.source, "#define T double\n#define Block 128\n__global__ void scale(const T* x")) << one.source;
  EXPECT_TRUE(holds(one.source, "#undef T")) << one.source;
  EXPECT_TRUE(holds(one.source, "template <typename T> __device__ T twice"))
      << "helpers stay templates: " << one.source;
  for (const auto& note : one.notes) EXPECT_FALSE(note.starts_with("Clang does not accept")) << note;
}

TEST(TemplateKernel, TheHeaderStaysBehindSoThatTheBodyCanGoBack) {
  const std::string file =
      std::string(kTemplateKernel) + "void go(float* x) { scale<float, 64><<<1, 64>>>(x, x, 64); }\n";
  const auto one = instance_taken({{"a.cu", file}}, "scale");
  for (const auto& piece : one.origin.pieces) {
    if (piece.kernel != "scale") continue;
    const auto there = file.substr(piece.there.begin, piece.there.end - piece.there.begin);
    EXPECT_TRUE(there.starts_with("__global__ void scale")) << there;
    EXPECT_EQ(one.source.substr(piece.here.begin, piece.here.end - piece.here.begin), there);
    return;
  }
  FAIL() << "the kernel has no origin";
}

TEST(TemplateKernel, WhatNoLaunchSaysIsGuessedAndLabelled) {
  const auto one = instance_taken(
      {{"a.cu", std::string(kTemplateKernel) +
                    "template <typename Real, int B> void go(Real* x) { scale<Real, B><<<1, B>>>(x, x, 64); }\n"}},
      "scale");
  EXPECT_TRUE(holds(one.source, "#define T float\n")) << one.source;
  bool labelled = false;
  for (const auto& note : one.notes) labelled = labelled || holds(note, "T = float (a guess)");
  EXPECT_TRUE(labelled);
}

TEST(TemplateKernel, SpecialisationsThatItCallsComeWithIt) {
  const std::string file =
      "template <typename T> __device__ T from_float(float v);\n"
      "template <> __device__ inline float from_float<float>(float v) { return v; }\n"
      "template <> __device__ inline double from_float<double>(float v) { return v; }\n"
      "template <typename T> struct Zero;\n"
      "template <> struct Zero<float> { static constexpr float value = 0.0f; };\n"
      "template <typename T>\n"
      "__global__ void fill(T* x) { x[threadIdx.x] = from_float<T>(1.0f) + Zero<T>::value; }\n"
      "void go(float* x) { fill<float><<<1, 64>>>(x); }\n";
  const auto one = instance_taken({{"a.cu", file}}, "fill");
  EXPECT_TRUE(holds(one.source, "from_float<float>(float v) { return v; }")) << one.source;
  EXPECT_TRUE(holds(one.source, "template <typename T> struct Zero;")) << one.source;
  EXPECT_TRUE(holds(one.source, "struct Zero<float> {")) << one.source;
}

TEST(TemplateKernel, ItsOwnSpecialisationIsNoSecondKernelOfTheName) {
  const std::string file =
      "template <int N> __global__ void fill(float* x) { x[threadIdx.x] = N; }\n"
      "template <> __global__ void fill<2>(float* x) { x[threadIdx.x] = 4; }\n"
      "void go(float* x) { fill<3><<<1, 64>>>(x); }\n";
  const auto one = instance_taken({{"a.cu", file}}, "fill");
  EXPECT_TRUE(holds(one.source, "#define N 3\n")) << one.source;
  EXPECT_FALSE(holds(one.source, "fill<2>")) << one.source;
}

}  // namespace
}  // namespace hone::source
