#include <gtest/gtest.h>

#include "affine/view.hpp"
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

LiftedKernel summing(const std::string& loop) {
  return lift_kernel(
      "__kernel void sum(__global int* c, __global const int* a, int n, int m) {\n  int i = get_global_id(0);\n  " +
      loop + "\n}\n");
}

TEST(Registers, DeclineAnElementUpdatedOnlyUnderACondition) {
  for (const std::string loop : {"for (int k = 0; k < n; k++) if (i < m) c[i] += a[k];",
                                 "for (int k = 0; k < n; k++) { if (i >= m) continue; c[i] += a[k]; }",
                                 "for (int k = 0; k < n; k++) { if (i >= m) break; c[i] += a[k]; }",
                                 "for (int k = 0; k < n; k++) { int t = i < m && (c[i] += a[k]); }",
                                 "for (int k = 0; k < n; k++) for (int l = 0; l < m; l++) if (i < m) c[i] += a[l];"}) {
    const auto text = rewritten(summing(loop), {"registers"});
    EXPECT_TRUE(has(text, "E-DECLINED") && has(text, "only under a condition")) << loop << "\n" << text;
  }
}

TEST(Registers, HoldAnElementUpdatedUnderAConditionWhenItWasJustStored) {
  const auto text =
      rewritten(summing("c[i] = 0;\n  for (int k = 0; k < n; k++) if (i < m) c[i] += a[k];"), {"registers"});
  EXPECT_TRUE(has(text, "int c_held = c[i]")) << text;
}

TEST(Registers, HoldAnElementStoredOnEveryPath) {
  const auto text =
      rewritten(summing("for (int k = 0; k < n; k++) { if (a[k] > 0) c[i] += a[k]; else c[i] -= 1; }"), {"registers"});
  EXPECT_TRUE(has(text, "c_held -= 1")) << text;
}

TEST(Registers, DeclineWhenTheLoopsHeaderReadsTheElement) {
  for (const std::string loop :
       {"for (int k = 0; k < c[i]; k++) c[i] -= 1;", "for (int k = c[i]; k < n; k++) c[i] += k;",
        "for (int k = 0; k < n; k += c[i]) c[i] += 1;"}) {
    const auto text = rewritten(summing(loop), {"registers"});
    EXPECT_TRUE(has(text, "the header of the loop reads c")) << loop << "\n" << text;
  }
}

TEST(Registers, DeclineWhereAskingTwiceWhetherTheLoopRunsWouldChangeIt) {
  for (const std::string loop : {"for (; n-- > 0;) c[i] += 1;", "int k;\n  for (k = 0, m = 1; k < n; k++) c[i] += m;",
                                 "for (int k = 0, l = k + 1; l < n; l++) c[i] += 1;"}) {
    const auto text = rewritten(summing(loop), {"registers"});
    EXPECT_TRUE(has(text, "cannot be asked before it")) << loop << "\n" << text;
  }
}

TEST(Registers, DeclineWhatAVectorLoadOrAnotherPointerMaySee) {
  const auto loaded = rewritten(summing("for (int k = 0; k < n; k++) c[i] += vload4(0, c + i - 1).x;"), {"registers"});
  EXPECT_TRUE(has(loaded, "c is accessed at several places")) << loaded;
  const auto pointed =
      rewritten(summing("__global int* p = c + 1;\n  for (int k = 0; k < n; k++) c[i] += p[k];"), {"registers"});
  EXPECT_TRUE(has(pointed, "may be the same buffer")) << pointed;
}

TEST(Registers, HoldEveryElementALoopUpdates) {
  const auto lifted = lift_kernel(
      "__kernel void two(__global float* x, __global float* y, __global const float* a, int n) {\n  int i = "
      "get_global_id(0);\n  x[i] = 0;\n  y[i] = 0;\n  for (int k = 0; k < n; k++) {\n    x[i] += a[k];\n    y[i] += "
      "a[k] * "
      "a[k];\n  }\n}\n");
  const auto text = rewritten(lifted, {"registers"});
  EXPECT_TRUE(has(text, "x_held += a[k]") && has(text, "y_held += a[k] * a[k]") && !has(text, "if (")) << text;
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

TEST(Unroll, AcceptsEveryLoopNameThatIsPrinted) {
  const auto lifted = lift_kernel(R"(__kernel void twice(__global float* c, __global const float* a, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int m = 0; m < n; m++) s += a[m];
  for (int m = 0; m < n; m++) s += a[m] * 2.0f;
  c[i] = s;
}
)");
  const auto function = ir::find_function(lifted.unit, lifted.kernel);
  std::vector<std::string> names;
  for (const auto& loop : affine::analyse(lifted.unit, function).loops) names.push_back(loop.symbol);
  EXPECT_EQ(names, (std::vector<std::string>{"m", "m@2"}));
  for (const auto& name : names) {
    const auto text = rewritten(lifted, {"unroll " + name + " 2"});
    EXPECT_TRUE(has(text, "m += 2")) << name << "\n" << text;
  }
  const auto second = rewritten(lifted, {"unroll m@2 2"});
  EXPECT_TRUE(has(second, "for (int m = 0; m < n; m++) s += a[m];") && has(second, "s += a[m + 1] * 2.0f")) << second;
  EXPECT_TRUE(has(rewritten(lifted, {"unroll m@3 2"}), "no loop over m@3"));
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
