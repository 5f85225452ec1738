#include <gtest/gtest.h>

#include "lifted_kernel.hpp"

namespace hone::rules {
namespace {

const std::string update = R"(__kernel void update(__global float* c, __global const float* a, int n) {
  int i = get_global_id(0);
  if (i < n) {
    c[i] = 0.0f;
    for (int k = 0; k < n; k++) c[i] += a[k * n + i];
  }
}
)";

TEST(Registers, HoldAnElementForTheLengthOfTheLoop) {
  const auto text = rewritten(lift_kernel(update), {"registers"});
  EXPECT_TRUE(has(text, "float c_held = c[i]")) << text;
  EXPECT_TRUE(has(text, "c_held += a[k * n + i]")) << text;
  EXPECT_TRUE(has(text, "c[i] = c_held")) << text;
}

TEST(Registers, DeclineBuffersThatMayBeTheSame) {
  EXPECT_TRUE(has(rewritten(lift_kernel(update, {1, 0, true}), {"registers"}), "may be the same buffer"));
}

TEST(Registers, TouchNothingWhenTheLoopDoesNotRun) {
  auto text = update;
  text.erase(text.find("    c[i] = 0.0f;\n"), 17);
  EXPECT_TRUE(has(rewritten(lift_kernel(text), {"registers"}), "if (0 < n)"))
      << rewritten(lift_kernel(text), {"registers"});
}

TEST(Registers, DeclineAnElementThatMovesWithTheLoop) {
  const auto lifted =
      lift_kernel("__kernel void fill(__global float* c, int n) { for (int k = 0; k < n; k++) c[k] += 1.0f; }\n");
  EXPECT_TRUE(has(rewritten(lifted, {"registers"}), "no loop updates an element of memory in place"));
}

TEST(Unroll, LeavesTheRestToALoopOfItsOwn) {
  const auto text = rewritten(lift_kernel(update), {"unroll k 2"});
  EXPECT_TRUE(has(text, "k + 1 < n; k += 2")) << text;
  EXPECT_TRUE(has(text, "a[(k + 1) * n + i]")) << text;
  EXPECT_TRUE(has(text, "for (; k < n; k++)")) << text;
}

TEST(Unroll, DeclinesALoopThatIsLeftEarly) {
  const auto lifted = lift_kernel(
      "__kernel void find(__global int* c, int n) { for (int k = 0; k < n; k++) { if (c[k] == 0) break; c[k] = 1; } "
      "}\n");
  EXPECT_TRUE(has(rewritten(lifted, {"unroll k 2"}), "no loop over k"));
}

TEST(Workgroup, DeclinesKernelsThatWorkInGroups) {
  const auto lifted = lift_kernel(
      "__kernel void ids(__global int* c, int n) { if (get_global_id(0) < n) c[get_global_id(0)] = get_local_id(0); "
      "}\n",
      {1, 16});
  EXPECT_TRUE(has(rewritten(lifted, {"workgroup 32"}), "depends on its groups"));
}

}  // namespace
}  // namespace hone::rules
