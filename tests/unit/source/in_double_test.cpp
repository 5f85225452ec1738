#include "ir/in_double.hpp"

#include <gtest/gtest.h>

#include "ir/print.hpp"
#include "source/lift.hpp"

namespace hone::source {
namespace {

/// The text in double precision, or why there is none.
std::string doubled(const std::string& text, const ir::LiftOptions& options = {}) {
  const auto unit = ClangLifter().lift(text, ir::Dialect::OpenCL, options).value();
  const auto wide = ir::in_double(unit);
  if (!wide) return wide.error().message();
  const auto printed = ir::print(*wide);
  return printed ? *printed : printed.error().text();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(InDouble, BuffersScalarsLocalsAndLiteralsAreWidened) {
  const auto text = doubled(R"(#define REAL float
constant float weights[2] = {0.5f, 0.25f};
float twice(float x) { return 2.0f * x; }
kernel void k(global const REAL* a, global float4* v, float s, local float* t, int n) {
  local REAL tile[4][5];
  int i = get_global_id(0);
  if (i >= n) return;
  tile[i % 4][0] = a[i] * 0.1f;
  t[0] = native_exp(s) + weights[i % 2];
  v[i] = (float4)(twice(a[i])) + convert_float4((int4)(i));
}
)");
  for (const auto* part :
       {"const double *a", "double4 *v", "double s", "double *t", "double tile[4][5]", "0.10000000149011612",
        "weights[2] = {0.5, 0.25}", "= exp(s)", "double twice(double x)", "(double4)(", "convert_double4("})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_FALSE(has(text, "0.1f"));
}

TEST(InDouble, WhatALiftUnderDefinesMeansIsWidened) {
  const auto text = doubled("kernel void k(global T* a) { T x = a[0] + (T)1; a[1] = x; }", {{{"T", "float"}}, {}, {}});
  EXPECT_TRUE(has(text, "double x = a[0] + (double)1")) << text;
}

TEST(InDouble, NothingIsMadeWhereARoundingDecides) {
  const auto why = [](const std::string& statement) {
    return doubled("kernel void k(global float* a, global int* b, int n) { int i = get_global_id(0); " + statement +
                   " }");
  };
  EXPECT_EQ(why("if (a[i] > 0.0f) a[i] = 1.0f;"), "a branch on a float");
  EXPECT_EQ(why("a[i] = a[i] < 2.0f ? a[i] : 2.0f;"), "a branch on a float");
  EXPECT_EQ(why("b[i] = (int)a[i];"), "an integer made from a float");
  EXPECT_EQ(why("b[i] = a[i];"), "an integer made from a float");
  EXPECT_EQ(why("b[i] = as_int(a[i]);"), "a call of as_int");
  EXPECT_EQ(why("b[i] = *(global int*)(a + i);"), "bits looked at as another type");
  EXPECT_EQ(why("a[i] = floor(a[i]);"), "a call of floor");
  EXPECT_EQ(why("b[i] = sizeof(float);"), "sizeof a float");
}

TEST(InDouble, ImagesStructsAndHalvesAreLeftAlone) {
  EXPECT_TRUE(has(doubled("kernel void k(read_only image2d_t p, global float* a) { a[0] = 1; }"), "the type of p"));
  EXPECT_TRUE(
      has(doubled("typedef struct { float x; } S; kernel void k(global S* s) { s[0].x = 1; }"), "the type of s"));
}

}  // namespace
}  // namespace hone::source
