#include <gtest/gtest.h>

#include "ir/rewrite.hpp"
#include "lifted_kernel.hpp"
#include "rules/tile_steps.hpp"

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

TEST(Lanes, BringsVectorAccessAlongWhereTheBuildMayHaveNone) {
  auto lifted = lift_kernel(product, {2});
  lifted.mep.options = {"-cl-std=CL2.0"};
  const auto text = rewritten(lifted, {"lanes 0 4"});
  const auto kernel = text.substr(std::min(text.find("__kernel"), text.size()));
  EXPECT_FALSE(has(kernel, "vload") || has(kernel, "vstore") || has(text, "E-")) << text;
  EXPECT_TRUE(has(text, "float4 load_float4(const __global float *from)") ||
              has(text, "float4 load_float4(__global const float *from)"))
      << text;
  EXPECT_TRUE(has(kernel, "load_float4(b + (k * n + j))")) << text;
  EXPECT_TRUE(has(kernel, "store_float4(sum, c + (i * n + j))")) << text;
  lifted.mep.options = {"-cl-std=CL3.0"};
  EXPECT_TRUE(has(rewritten(lifted, {"lanes 0 4"}), "vload4"));
}

TEST(Lanes, LetsWorkItemsWithNothingToDoLeaveAtOnceWhereTheLaunchStays) {
  const auto text = rewritten(lift_kernel("__kernel void k(__global const float* a, __global float* o) {\n"
                                          "  int i = get_global_id(0);\n  o[i] = 2.0f * a[i];\n}\n"),
                              {"keep", "lanes 0 8"});
  const auto leaves = text.find("if (get_global_id(0) * 8 >= get_global_size(0))");
  EXPECT_LT(leaves, text.find("vload8")) << text;
  EXPECT_NE(leaves, std::string::npos) << text;
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

TEST(Tile, DoesVectorsThatLieInsideAtItsEdgeToo) {
  const auto text = rewritten(
      lift_kernel("__kernel void scale(__global const float* a, __global float* o, int n, int m) {\n  int j = "
                  "get_global_id(0), i = get_global_id(1);\n  if (i < m && j < n) o[i * n + j] = a[i * n + j] * "
                  "2.0f;\n}\n",
                  {2}),
      {"lanes 0 4", "merge 0 2", "merge 1 2"});
  const auto edge = text.substr(std::min(text.find("for (int item_1"), text.size()));
  EXPECT_TRUE(has(edge, "for (int item_0_1 = 0; item_0_1 < 2; item_0_1++)")) << "two vectors\n" << text;
  EXPECT_TRUE(has(edge, "(get_global_id(0) * 2 + item_0_1) * 4")) << text;
  EXPECT_TRUE(has(edge, "get_global_id(1) * 2 + item_1")) << text;
  EXPECT_TRUE(has(edge, "vstore4(") && has(edge, "continue;")) << text;
}

TEST(Lanes, AreShorterWhereALongVectorIsCutOff) {
  const auto text =
      rewritten(lift_kernel("__kernel void scale(__global const float* a, __global float* o, int n) {\n  int i = "
                            "get_global_id(0);\n  if (i < n) o[i] = a[i] * 2.0f;\n}\n"),
                {"lanes 0 16"});
  EXPECT_TRUE(has(text, "for (int item_0 = 0; item_0 < 4; item_0++)")) << text;
  EXPECT_TRUE(has(text, "vstore4(") && has(text, "continue;")) << text;
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

TEST(Lanes, GoTogetherThroughALoopWhileAllGoOn) {
  const auto lifted = lift_kernel(R"(__kernel void prefix(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k <= i; k += 3) s += a[k];
  o[i] = s;
}
)");
  const auto text = rewritten(lifted, {"lanes 0 2"});
  EXPECT_TRUE(has(text, "while (k <= i)")) << text;
  EXPECT_TRUE(has(text, "for (int k = k_from_1; k <= i + 1; k += 3)")) << text;
  EXPECT_TRUE(has(text, "s.s1 += a[k]")) << text;
  EXPECT_TRUE(has(rewritten(lifted, {"merge 0 2"}), "s_1"));
}

TEST(SharedTurns, GoTogetherUpToTheEarliestEnd) {
  const auto lifted = lift_kernel(R"(__kernel void prefix(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k <= i; k++) s += a[k];
  o[i] = s;
}
)");
  for (const std::string step : {"lanes 0 2", "merge 0 2"}) {
    const auto text = rewritten(lifted, {step});
    EXPECT_TRUE(has(text, "const int k_shared = i;")) << text;
    EXPECT_TRUE(has(text, "for (int k = 0; k <= k_shared; k++)")) << text;
    EXPECT_TRUE(has(text, "for (int k_alone = 0 <= k_shared ? k_shared + 1 : 0; k_alone <= i + 1; k_alone++)")) << text;
  }
}

const std::string correlation = R"(__kernel void pairs(__global const float* a, __global float* o, int n, int m) {
  int i = get_global_id(0);
  if (i < n) {
    for (int j = i + 1; j < n; j++) {
      float s = 0.0f;
      for (int k = 0; k < m; k++) s += a[k * n + i] * a[k * n + j];
      o[i * n + j] = s;
      o[j * n + i] = s;
    }
  }
}
)";

TEST(SharedTurns, GoTogetherFromTheLatestStart) {
  const auto text = rewritten(lift_kernel(correlation), {"merge 0 2", "lanes j 4"});
  EXPECT_TRUE(has(text, "const int j_shared = i + 1 + 1;") || has(text, "const int j_shared = i + 2;")) << text;
  EXPECT_TRUE(has(text, "j_alone < n && j_alone < j_shared; j_alone++")) << text;
  EXPECT_TRUE(has(text, "int j = j_shared;")) << text;
  EXPECT_TRUE(has(text, "s_1 += a[k * n + (i + 1)] * a_value")) << text;
}

TEST(SharedTurns, OfAWindowCountFromWhereItIs) {
  const auto text = rewritten(lift_kernel(R"(__kernel void window(__global const float* a, __global float* o, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const int left = max(i - 2, 0);
  float s = 0.0f;
  for (int j = left; j <= min(i + 2, n - 1); j++) s += a[j];
  o[i] = s;
}
)"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "for (int j_place = j_shared; j_place <= j_shared_1; j_place++)")) << text;
  EXPECT_TRUE(has(text, "s += vload4(0, a + j)")) << text;
}

TEST(WholeRows, AreReachedSideBySide) {
  const auto text =
      rewritten(lift_kernel(R"(__kernel void rows(__global const float* a, __global float* o, int n, int w, int pitch) {
  const int i = get_global_id(0);
  if (i < n) {
    const int row = i / w;
    o[i] = a[row * pitch + i % w];
  }
}
)"),
                {"lanes 0 4"});
  EXPECT_TRUE(has(text, "first_item >= 0 && last_item - first_item < w - remainder")) << text;
  EXPECT_TRUE(has(text, "vload4(0, a + (row * pitch + (i + to_column)))")) << text;
}

TEST(WholeRows, AreNotAskedForWhereTheGroupWaitsAfterwards) {
  const auto text = rewritten(lift_kernel(R"(__kernel void waits(__global float* o, int w) {
  __local float x[64];
  const int i = get_global_id(0);
  const int row = i / w;
  x[get_local_id(0)] = row;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = x[63 - get_local_id(0)];
}
)",
                                          {1, 64}),
                              {"merge 0 2"});
  EXPECT_FALSE(has(text, "first_item") || has(text, "E-")) << text;
}

TEST(SharedTurns, LeaveALoopAloneWhoseStartMayPassZero) {
  const auto text = rewritten(lift_kernel(R"(__kernel void late(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = 0;
  for (uint k = i - 5; k < n; k++) s += a[k];
  o[i] = s;
}
)"),
                              {"merge 0 2"});
  EXPECT_FALSE(has(text, "_shared")) << text;
}

TEST(SharedTurns, LeaveALoopAloneWhoseEndItChangesItself) {
  const auto text = rewritten(lift_kernel(R"(__kernel void ends(__global int* a, __global int* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  for (int k = 0; k < o[0] + i; k++) a[i] += k;
}
)",
                                          {1, 0, true}),
                              {"merge 0 2"});
  EXPECT_FALSE(has(text, "_shared")) << text;
}

TEST(SharedTurns, CountForWhatIsSharedWhenMergingIsOffered) {
  const auto lifted = lift_kernel(correlation);
  const auto kernel = ir::find_function(lifted.unit, lifted.kernel);
  EXPECT_FALSE(loops_differ_along(kernel, 0));
  EXPECT_EQ(traffic_along(lifted.unit, kernel, 0).same, 16) << "one, in a loop in a loop";
}

TEST(Tile, EndsWhereAllWasDoneTogether) {
  for (const std::string last : {"if (i == 0) o[i] = 1.0f;", "if (n > 9) o[i] = 1.0f;"}) {
    const auto text = rewritten(lift_kernel("__kernel void k(__global float* o, int n) {\n  int i = get_global_id(0);\n"
                                            "  if (i < n) {\n    o[i] += 1.0f;\n    " +
                                            last + "\n  }\n}\n"),
                                {"merge 0 2"});
    const auto end = text.find("return;"), again = text.find("for (int item_0");
    EXPECT_TRUE(end != std::string::npos && again != std::string::npos && end < again) << text;
  }
}

TEST(Lanes, DeclineLoopsThatSomeLeaveEarly) {
  const auto text = rewritten(lift_kernel(R"(__kernel void first(__global const float* a, __global int* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int k = 0;
  for (; k < n; k++)
    if (a[k] > a[i]) break;
  o[i] = k;
}
)"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "the bounds of a loop depend on get_global_id(0)")) << text;
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

TEST(Lanes, DecideManyThingsWithoutBranching) {
  const auto text = rewritten(lift_kernel(R"(__kernel void nearest(__global const float* a, __global int* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float least = 1000.0f;
  int best = -1;
  for (int c = 0; c < 4; c++) {
    const float d = fabs(a[i] - c);
    if (d < least) {
      least = d;
      best = c;
    }
  }
  o[i] = best;
}
)"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "least = select(least, d, where)")) << text;
  EXPECT_TRUE(has(text, "best = select(best, (int4)(c), where)")) << text;
}

TEST(Lanes, SeeThroughHelpers) {
  const auto text =
      rewritten(lift_kernel(R"(float distance2(__global const float* p, __global const float* q, int len) {
  float sum = 0.0f;
  for (int f = 0; f < len; f++) {
    float d = p[f] - q[f];
    sum += d * d;
  }
  return sum;
}
__kernel void apart(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) o[i] = distance2(a + i, a, 3);
}
)"),
                {"lanes 0 4"});
  EXPECT_TRUE(has(text, "vload4(0, a + i + f_1) - a[f_1]")) << text;
}

TEST(Lanes, HoldTheComponentsOfShortVectorsApart) {
  const auto text = rewritten(lift_kernel(R"(__kernel void pull(__global const float4* p, __global float4* o, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  const float4 me = p[i];
  float4 sum = (float4)(0.0f);
  for (int j = 0; j < n; j++) {
    const float4 other = p[j];
    const float3 d = other.xyz - me.xyz;
    sum.xyz += d * (other.w / (dot(d, d) + 1.0f));
  }
  o[i] = sum;
}
)"),
                              {"lanes 0 4"});
  EXPECT_TRUE(has(text, "float4 sum_x = (float4)(0.0f)")) << text;
  EXPECT_TRUE(has(text, "sum_x += d_x * factor")) << text;
  EXPECT_TRUE(has(text, "o[i + 3] = (float4)(sum_x.s3, sum_y.s3, sum_z.s3, sum_w)")) << text;
}

const std::string products_of_columns =
    R"(__kernel void products(__global const float* a, __global float* c, int m, int n) {
  int i = get_global_id(0);
  int j, k;
  if (i < m) {
    for (j = i; j < m; j++) {
      c[i * m + j] = 0.0f;
      for (k = 0; k < n; k++) c[i * m + j] += a[k * m + i] * a[k * m + j];
      c[j * m + i] = c[i * m + j];
    }
  }
}
)";

TEST(Lanes, TakeIterationsOfALoopTogether) {
  const auto text = rewritten(lift_kernel(products_of_columns), {"registers", "lanes j 8", "merge j 2"});
  EXPECT_TRUE(has(text, "j + 15 < m; j += 16")) << text;
  EXPECT_TRUE(has(text, "vload8(0, a + (k * m + j))")) << text;
  EXPECT_TRUE(has(text, "for (; j < m; j++)")) << text;
}

TEST(Lanes, AreOfferedAlongLoopsThatMayBeTakenTogether) {
  const auto declined = rewritten(lift_kernel(products_of_columns), {"lanes k 4"});
  EXPECT_TRUE(has(declined, "the loop over k must go in order")) << declined;
  const auto one = rewritten(lift_kernel(products_of_columns, {1, 0, true}), {"lanes j 4"});
  EXPECT_TRUE(has(one, "the loop over j must go in order")) << one;
}

TEST(Tile, DeclinesCodeThatWasNotUnderstood) {
  const auto lifted = lift_kernel(
      "__kernel void odd(__global float* a, int n) {\n#ifdef X\n  a[1] = 0;\n#endif\n  int i = get_global_id(0);\n  if "
      "(i < n) a[i] = 1;\n}\n");
  EXPECT_TRUE(has(rewritten(lifted, {"merge 0 2"}), "stands inside the kernel"));
}

}  // namespace
}  // namespace hone::rules
