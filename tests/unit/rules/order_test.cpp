// Steps run in the order written; an order that cannot be done is refused with both steps' names.
#include <gtest/gtest.h>

#include "lifted_kernel.hpp"

namespace hone::rules {
namespace {

const std::string sums = R"(__kernel void sums(__global float* c, __global const float* a, int n) {
  int i = get_global_id(0);
  if (i < n) {
    c[i] = 0.0f;
    for (int k = 0; k < n; k++) c[i] += a[k * n + i];
  }
}
)";

std::string code_of(const std::vector<std::string>& schedule) {
  const auto variant = replay(lift_kernel(sums), schedule_from_lines(schedule), {});
  return variant ? "" : variant.error().code();
}

TEST(Order, OfTheStepsIsTheOrderTheyAreDoneIn) {
  // Held first, then unrolled: one variable. Unrolled first: each of the two loops holds the element for itself.
  const auto held = rewritten(lift_kernel(sums), {"registers", "unroll k 2"});
  const auto unrolled = rewritten(lift_kernel(sums), {"unroll k 2", "registers"});
  EXPECT_FALSE(has(held, "c_held_1")) << held;
  EXPECT_TRUE(has(unrolled, "c_held_1")) << unrolled;
}

TEST(Order, AlongOneDimensionSaysWhichStepIsInnermost) {
  const auto near = rewritten(lift_kernel(sums), {"lanes 0 4", "merge 0 2"});
  const auto far = rewritten(lift_kernel(sums), {"merge 0 2", "lanes 0 4"});
  EXPECT_TRUE(has(near, "vload4")) << near;
  EXPECT_FALSE(has(far, "vload4")) << far;  // the lanes are two work-items apart
}

TEST(Order, OfStepsAlongDifferentDimensionsIsFree) {
  const std::string copy = R"(__kernel void copy(__global float* c, __global const float* a, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n && j < n) c[j * n + i] = a[j * n + i];
}
)";
  const auto lifted = lift_kernel(copy, {2});
  EXPECT_EQ(rewritten(lifted, {"lanes 0 4", "merge 1 2"}), rewritten(lifted, {"merge 1 2", "lanes 0 4"}));
}

TEST(Order, ThatCannotBeDoneIsRefusedByBothNames) {
  const auto late_registers = rewritten(lift_kernel(sums), {"lanes 0 4", "registers"});
  EXPECT_TRUE(has(late_registers, "E-ORDER") && has(late_registers, "`registers`") &&
              has(late_registers, "`lanes 0 4`"))
      << late_registers;
  const auto late_merge = rewritten(lift_kernel(sums), {"lanes 0 4", "unroll k 2", "merge 0 2"});
  EXPECT_TRUE(has(late_merge, "E-ORDER") && has(late_merge, "`merge 0 2`") && has(late_merge, "`unroll k 2`"))
      << late_merge;
  const auto late_keep = rewritten(lift_kernel(sums), {"merge 0 2", "unroll k 2", "keep"});
  EXPECT_TRUE(has(late_keep, "E-ORDER") && has(late_keep, "`unroll k 2`")) << late_keep;
  EXPECT_EQ(code_of({"unroll k 2", "lanes 0 4"}), "");
}

TEST(Order, OfContradictingStepsIsRefusedToo) {
  const auto both = rewritten(lift_kernel(sums), {"merge 0 2", "keep", "workgroup 16"});
  EXPECT_TRUE(has(both, "E-DECLINED") && has(both, "`workgroup 16`") && has(both, "`keep`")) << both;
  EXPECT_EQ(code_of({"lanes 0 4", "lanes 0 2"}), "E-STEP");
  EXPECT_EQ(code_of({"workgroup 4", "workgroup 8"}), "E-STEP");
}

TEST(Kernel, MayBeNamedAgainToGoOnWithIt) {
  auto lifted = lift_kernel(sums);
  EXPECT_EQ(rewritten(lifted, {"kernel sums", "registers", "kernel sums", "lanes 0 4"}),
            rewritten(lifted, {"registers", "lanes 0 4"}));
  EXPECT_TRUE(has(rewritten(lifted, {"kernel other"}), "there is no kernel other"));
}

}  // namespace
}  // namespace hone::rules
