// Loops that only add up, taken together with partial sums.
#include <gtest/gtest.h>

#include "lifted_kernel.hpp"
#include "rules/tile_steps.hpp"

namespace hone::rules {
namespace {

LiftedKernel over_rows(const std::string& start, const std::string& body, const std::string& end) {
  return lift_kernel(
      "__kernel void rows(__global const float* a, __global const float* x, __global float* y, __global const int* c, "
      "int "
      "n) {\n  int i = get_global_id(0);\n  if (i < n) {\n    " +
      start + "\n    for (int k = 0; k < n; k++) {\n      " + body + "\n    }\n    " + end + "\n  }\n}\n");
}

TEST(Sums, OfLanesAreAddedAfterTheLoop) {
  const auto text = rewritten(over_rows("float sum = 0;", "sum += a[i * n + k] * x[k];", "y[i] = sum;"), {"lanes k 4"});
  EXPECT_TRUE(has(text, "float4 sum_part = (float4)(0)")) << text;
  EXPECT_TRUE(has(text, "sum_part += vload4(0, a + (i * n + k)) * vload4(0, x + k)")) << text;
  EXPECT_TRUE(has(text, "sum_part.s0 += a[i * n + k] * x[k]")) << "those left over\n" << text;
  EXPECT_TRUE(has(text, "const float2 sum_part_half = sum_part.s01 + sum_part.s23")) << text;
  EXPECT_TRUE(has(text, "sum += sum_part_half.s0 + sum_part_half.s1")) << text;
}

TEST(Sums, OfSeveralRowsShareWhatTheyLoad) {
  const auto text =
      rewritten(over_rows("float sum = 0;", "sum += a[i * n + k] * x[k];", "y[i] = sum;"), {"lanes k 4", "merge 0 2"});
  EXPECT_TRUE(has(text, "const float4 x_value = vload4(0, x + k)")) << text;
  EXPECT_TRUE(has(text, "sum_part_1 += vload4(0, a + ((i + 1) * n + k)) * x_value")) << text;
  EXPECT_TRUE(has(text, "sum_1 += sum_part_half_1.s0")) << text;
}

TEST(Sums, OfCopiesAreAddedInPairs) {
  const auto text =
      rewritten(over_rows("float sum = 0;", "sum += a[i * n + k] * x[k];", "y[i] = sum;"), {"lanes k 4", "merge k 2"});
  EXPECT_TRUE(has(text, "const float4 sum_parts = sum_part_0 + sum_part_1")) << text;
  EXPECT_TRUE(has(text, "sum_part_half = sum_parts.s01 + sum_parts.s23")) << text;
}

TEST(Sums, OfElementsInMemoryNeedRegistersFirst) {
  const auto lifted = over_rows("y[i] = 0;", "y[i] += a[i * n + k];", "");
  EXPECT_TRUE(has(rewritten(lifted, {"lanes k 4"}), "must go in order"));
  EXPECT_TRUE(has(rewritten(lifted, {"registers", "lanes k 4"}), "y_held_part += vload4(0, a + (i * n + k))"));
}

TEST(Sums, MayBeTheLeastOrGreatest) {
  const auto called = rewritten(over_rows("float m = a[i];", "m = fmax(m, a[i * n + k]);", "y[i] = m;"), {"lanes k 2"});
  EXPECT_TRUE(has(called, "float2 m_part = (float2)(m)")) << called;
  EXPECT_TRUE(has(called, "m = fmax(m, fmax(m_part.s0, m_part.s1))")) << called;
  const auto asked =
      rewritten(over_rows("float m = a[i];", "if (a[i * n + k] > m) m = a[i * n + k];", "y[i] = m;"), {"lanes k 2"});
  EXPECT_TRUE(has(asked, "m = m_part.s0 > m ? m_part.s0 : m")) << asked;
  EXPECT_TRUE(has(asked, "m = m_part.s1 > m ? m_part.s1 : m")) << asked;
}

TEST(Sums, AreCountedUnderConditions) {
  const auto text =
      rewritten(over_rows("int count = 0;", "if (c[i * n + k] > 3) count++;", "y[i] = count;"), {"lanes k 4"});
  EXPECT_TRUE(has(text, "int4 count_part = (int4)(0)")) << text;
}

TEST(Sums, OfHelpersAreReachedByTheNameTheyHaveWrittenOut) {
  const auto lifted = lift_kernel(
      "float far(__global const float* a, __global const float* b, int m) {\n  float sum = 0;\n  for (int f = 0; f < "
      "m; "
      "f++) sum += (a[f] - b[f]) * (a[f] - b[f]);\n  return sum;\n}\n"
      "__kernel void near(__global const float* p, __global const float* c, __global float* o, int n, int m) {\n  int "
      "i = "
      "get_global_id(0);\n  if (i < n) o[i] = far(p + i * m, c, m);\n}\n");
  std::string offered;
  for (const auto& loop : traffic_along_loops(lifted.unit, ir::find_function(lifted.unit, "near"), {}))
    offered += loop.loop + (loop.adds_up ? " " : "! ");
  EXPECT_EQ(offered, "f_1 ");
  const auto text = rewritten(lifted, {"lanes f_1 4"});
  EXPECT_TRUE(has(text, "sum_1_part += ")) << text;
}

TEST(Sums, DeclineWhatIsReadOnTheWay) {
  for (const std::string body :
       {"sum += a[k]; y[k] = sum;", "sum = a[k] - sum;", "sum = sum * 2 + a[k];", "if (sum < 9) sum += a[k];",
        "sum += a[k]; sum *= 2;", "sum += sum * a[k];", "whole += a[k];", "whole = whole + a[k] * 2.0f;",
        "sum += a[k]; sum = fmax(sum, a[k]);", "whole = max(whole, c[k]); whole++;"}) {
    const auto text = rewritten(over_rows("float sum = 0; int whole = 0;", body, "y[i] = sum + whole;"), {"lanes k 4"});
    EXPECT_TRUE(has(text, "must go in order")) << body << "\n" << text;
  }
}

TEST(Guard, MakesAConditionOfTheSizeThatEveryLaunchHas) {
  const std::string text =
      "__kernel void scale(__global float* o, int n) {\n  int i = get_global_id(0);\n  o[i] = o[i] * 2.0f;\n}\n";
  auto lifted = lift_kernel(text);
  auto& launch = std::get<Launch>(lifted.mep.workloads.front().launches.front());
  EXPECT_TRUE(has(rewritten(lifted, {"guard 0"}), "no argument is seen to be the size")) << "n is bound to n_buffer";
  launch.arguments["n"].value = Expression::name("n");
  EXPECT_TRUE(has(rewritten(lifted, {"guard 0"}), "if (get_global_id(0) < n) {")) << rewritten(lifted, {"guard 0"});
  const auto variant = replay(lifted, schedule_from_lines({"guard 0", "lanes 0 4", "workgroup 8"}), {});
  ASSERT_TRUE(variant) << variant.error().text();
  EXPECT_EQ(variant->launches.front().global.front().print(), "ceil_div(launch.global[0], 4)");
  EXPECT_TRUE(has(rewritten(lifted, {"workgroup 8", "guard 0"}), "E-ORDER"));
  launch.arguments["n"].from.kind = Provenance::Kind::Guessed;
  EXPECT_TRUE(has(rewritten(lifted, {"guard 0"}), "no argument is seen to be the size"));
}

TEST(Guard, DeclinesWhereOneLaunchHasAnotherSizeOrTheArgumentIsChanged) {
  const auto with_size = [](const std::string& text) {
    auto lifted = lift_kernel(text);
    std::get<Launch>(lifted.mep.workloads.front().launches.front()).arguments["n"].value = Expression::name("n");
    return lifted;
  };
  auto lifted = with_size(
      "__kernel void scale(__global float* o, int n) {\n  int i = get_global_id(0);\n  o[i] = o[i] * 2.0f;\n}\n");
  auto other = std::get<Launch>(lifted.mep.workloads.front().launches.front());
  other.global.front() = Expression::name("m");
  lifted.mep.workloads.front().launches.emplace_back(other);
  EXPECT_TRUE(has(rewritten(lifted, {"guard 0"}), "no argument is seen to be the size"));
  const auto changed = with_size(
      "__kernel void scale(__global float* o, int n) {\n  int i = get_global_id(0);\n  n = n / 2;\n  o[i] = n;\n}\n");
  EXPECT_TRUE(has(rewritten(changed, {"guard 0"}), "no argument is seen to be the size"));
}

}  // namespace
}  // namespace hone::rules
