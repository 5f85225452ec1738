#include <gtest/gtest.h>

#include "lifted_kernel.hpp"

namespace hone::rules {
namespace {

const std::string product =
    R"(__kernel void product(__global const float* a, __global const float* b, __global float* c, int n) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i < n && j < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
  }
}
)";

TEST(Lanes, LoadsNeighboursTogetherAndBroadcastsTheRest) {
  const auto text = rewritten(lift_kernel(product, {2}), {"lanes 0 8"});
  EXPECT_TRUE(has(text, "sum += a[i * n + k] * vload8(0, b + (k * n + j))")) << text;
  EXPECT_TRUE(has(text, "vstore8(sum, 0, c + (i * n + j))")) << text;
}

TEST(Lanes, AsksTheLastLaneWhetherAllAreInside) {
  EXPECT_TRUE(has(rewritten(lift_kernel(product, {2}), {"lanes 0 8"}), "if (i < n && j + 7 < n)"));
}

TEST(Lanes, StoresIntoAMemberOneByOne) {
  const auto text = rewritten(lift_kernel("__kernel void k(__global const float* a, __global float4* o, int n) {\n"
                                          "  int i = get_global_id(0);\n  if (i < n) o[i].y = a[i];\n}\n"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "o[i + 1].y = ") || has(text, "E-DECLINED")) << text;
}

TEST(Merge, LoadsWhatTheCopiesShareOnce) {
  const auto text = rewritten(lift_kernel(product, {2}), {"merge 1 2"});
  EXPECT_TRUE(has(text, "const float b_value = b[k * n + j]")) << text;
  EXPECT_TRUE(has(text, "sum_1 += a[(i + 1) * n + k] * b_value")) << text;
}

TEST(Merge, LeavesTheEdgeToTheOriginalBody) {
  const auto text = rewritten(lift_kernel(product, {2}), {"merge 1 2"});
  EXPECT_TRUE(has(text, "for (int item_1 = 0; item_1 < 2; item_1++)")) << text;
  EXPECT_TRUE(has(text, "get_global_id(1) * 2 + item_1")) << text;
}

TEST(Tile, ShrinksTheLaunchByWhatOneWorkItemDoes) {
  const auto variant = replay(lift_kernel(product, {2}),
                              schedule_from_lines({"lanes 0 VX", "merge 0 TJ", "merge 1 4", "workgroup 2 WG"}),
                              {{"VX", std::int64_t{8}}, {"TJ", std::int64_t{2}}, {"WG", std::int64_t{16}}});
  ASSERT_TRUE(variant);
  ASSERT_EQ(variant->launches.size(), 1U);
  EXPECT_EQ(variant->launches[0].global[0].print(), "ceil_div(launch.global[0], 8 * 2)");
  EXPECT_EQ(variant->launches[0].global[1].print(), "ceil_div(launch.global[1], 4)");
  EXPECT_EQ(variant->launches[0].local[0].print(), "2");
  EXPECT_EQ(variant->launches[0].local[1].print(), "16");
}

TEST(Tile, TakesAVariableForItsDimension) {
  EXPECT_EQ(rewritten(lift_kernel(product, {2}), {"merge i 2"}), rewritten(lift_kernel(product, {2}), {"merge 1 2"}));
}

TEST(Tile, OfOneChangesNothing) {
  EXPECT_EQ(rewritten(lift_kernel(product, {2}), {"lanes 0 1", "merge 1 1"}), product);
}

TEST(Tile, KeepsTheLaunchWhereNothingStopsWorkItemsBeyondTheEdge) {
  const auto lifted = lift_kernel("__kernel void twice(__global float* a) { a[get_global_id(0)] *= 2.0f; }\n");
  const auto variant = replay(lifted, schedule_from_lines({"lanes 0 4"}), {});
  ASSERT_TRUE(variant) << variant.error().message();
  EXPECT_TRUE(variant->launches.empty());
  EXPECT_TRUE(has(variant->source, "get_global_size(0)")) << variant->source;
}

TEST(Tile, KeepsGroupsWholeWhereTheKernelWorksInGroups) {
  const std::string sum = R"(__kernel void sum(__global const float* a, __global float* out, __local float* part) {
  int l = get_local_id(0);
  part[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}
)";
  const auto variant = replay(lift_kernel(sum, {1, 64}), schedule_from_lines({"lanes 0 4"}), {});
  ASSERT_TRUE(variant) << variant.error().message();
  EXPECT_EQ(variant->launches[0].local[0].print(), "ceil_div(launch.local[0], 4)");
  EXPECT_TRUE(has(variant->source, "get_local_size(0) * 4 / 2")) << variant->source;
  EXPECT_TRUE(has(rewritten(lift_kernel(sum, {1, 6}), {"lanes 0 4"}), "do not divide the work-group of 6"));
  EXPECT_TRUE(has(rewritten(lift_kernel(sum, {1, 0}), {"lanes 0 4"}), "no launch says how large"));
}

TEST(Tile, LeavesADeclarationThatIsNoneOfItsBusinessAsItIsWritten) {
  const std::string sum = R"(#define BLOCK 64
__kernel void sum(__global const float* a, __global float* out) {
  __local float part[BLOCK];
  int l = get_local_id(0);
  part[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[get_group_id(0)] = part[0];
}
)";
  EXPECT_TRUE(has(rewritten(lift_kernel(sum, {1, 64}), {"merge 0 2"}), "__local float part[BLOCK];"));
}

TEST(Lanes, DeclinesLoopsThatRunDifferentlyForNeighbours) {
  const auto lifted = lift_kernel(R"(__kernel void prefix(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k <= i; k++) s += a[k];
  o[i] = s;
}
)");
  EXPECT_TRUE(has(rewritten(lifted, {"lanes 0 4"}), "the bounds of a loop depend on get_global_id(0)"));
  EXPECT_TRUE(has(rewritten(lifted, {"merge 0 2"}), "s_1"));
}

TEST(Lanes, TurnsSmallConditionsIntoSelects) {
  const auto text = rewritten(lift_kernel(R"(__kernel void relu(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float v = a[i];
  if (v < 0.0f) v = 0.0f;
  o[i] = v;
}
)"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "v = select(v, (float4)(0.0f), v < (float4)(0.0f))")) << text;
}

TEST(Lanes, ReadsAClampedIndexTogetherAwayFromTheEdge) {
  const auto text = rewritten(lift_kernel(R"(__kernel void next(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int j = min(i + 1, n - 1);
  o[i] = a[j];
}
)"),
                              {"lanes 0 2"});
  EXPECT_TRUE(has(text, "== 1 ? vload2(0, a + j)")) << text;
}

TEST(Tile, DeclinesCodeThatWasNotUnderstood) {
  const auto lifted = lift_kernel(
      "__kernel void odd(__global float* a, int n) {\n#ifdef X\n  a[1] = 0;\n#endif\n  int i = get_global_id(0);\n  if "
      "(i < n) a[i] = 1;\n}\n");
  EXPECT_TRUE(has(rewritten(lifted, {"merge 0 2"}), "stands inside the kernel"));
}

}  // namespace
}  // namespace hone::rules
