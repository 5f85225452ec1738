// What no kernel may do, each found with its kind, its line and a sentence that names it.
#include <gtest/gtest.h>

#include "interpreter/run.hpp"
#include "source/lift.hpp"

namespace hone::interpreter {
namespace {

using Kind = Finding::Kind;

ir::Unit unit_with(const std::string& text) { return source::ClangLifter().lift(text, ir::Dialect::OpenCL).value(); }

/// "race at 3", or nothing. Eight ints in one buffer, eight work-items in two groups.
std::string found(const std::string& text, const Options& options = {}) {
  Bytes out(32);
  const auto finding = run(unit_with(text), "k", {&out}, {{8, 1, 1}, {4, 1, 1}}, options);
  return finding ? std::string(name_of(finding->kind)) + " at " + std::to_string(finding->line) : "";
}

std::string kernel(const std::string& body) {
  return "__kernel void k(__global int *o) {\n  int i = get_global_id(0), l = get_local_id(0);\n" + body + "\n}\n";
}

TEST(Findings, TwoWorkItemsThatWriteOneElement) {
  EXPECT_EQ(found(kernel("  o[i / 2] = i;")), "race at 3");
  EXPECT_EQ(found(kernel("  o[i] = i;")), "");
}

TEST(Findings, AReadOfWhatANeighbourWritesInTheSameInterval) {
  const std::string tile = "  __local int t[4];\n  t[l] = i;\n";
  EXPECT_EQ(found(kernel(tile + "  o[i] = t[3 - l];")), "race at 5");
  EXPECT_EQ(found(kernel(tile + "  o[i] = t[l];")), "");
  EXPECT_EQ(found(kernel(tile + "  barrier(CLK_LOCAL_MEM_FENCE);\n  o[i] = t[3 - l];")), "");
}

TEST(Findings, AWriteToWhatANeighbourHasRead) {
  const std::string tile = "  __local int t[4];\n  t[l] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  o[i] = t[3 - l];\n";
  EXPECT_EQ(found(kernel(tile + "  t[l] = 0;")), "race at 7");
  EXPECT_EQ(found(kernel(tile + "  barrier(CLK_LOCAL_MEM_FENCE);\n  t[l] = 0;")), "");
}

TEST(Findings, AFenceOrdersOnlyTheMemoryItNames) {
  EXPECT_EQ(found(kernel("  o[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  o[i ^ 1] += 1;")), "race at 5");
  EXPECT_EQ(found(kernel("  o[i] = i;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  o[i ^ 1] += 1;")), "");
}

TEST(Findings, NoBarrierStandsBetweenGroups) {
  // The second group finds its own elements touched by the first.
  EXPECT_EQ(found(kernel("  o[i] = i;\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  o[7 - i] += 1;")), "race at 3");
  EXPECT_EQ(found(kernel("  int v = o[7 - i];\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  if (i < 4) o[i] = v;")),
            "race at 3");
  EXPECT_EQ(found(kernel("  int v = o[7 - i];\n  barrier(CLK_GLOBAL_MEM_FENCE);\n  if (i > 3) o[i] = v;")),
            "race at 5");
}

TEST(Findings, EqualStoresRaceUnlessTheyAreAllowed) {
  Options lenient;
  lenient.equal_stores_race = false;
  EXPECT_EQ(found(kernel("  o[0] = 1;")), "race at 3");
  EXPECT_EQ(found(kernel("  o[0] = 1;"), lenient), "");
  EXPECT_EQ(found(kernel("  o[0] = i;"), lenient), "race at 3");
}

TEST(Findings, AtomicsDoNotRace) { EXPECT_EQ(found(kernel("  atomic_add(o, i);")), ""); }

TEST(Findings, LanesOfOneVectorAreApart) {
  Bytes out(16);
  const auto unit =
      unit_with("__kernel void k(__global float4 *o) { if (get_global_id(0)) o[0].x = 1; else o[0].y = 2; }");
  EXPECT_FALSE(run(unit, "k", {&out}, {{2, 1, 1}, {1, 1, 1}}));
}

TEST(Findings, AnAccessOutsideABuffer) {
  EXPECT_EQ(found(kernel("  o[i + 1] = 0;")), "out of bounds at 3");
  EXPECT_EQ(found(kernel("  if (i == 5)\n    vstore4((int4)(0), 0, o + i);")), "out of bounds at 4");
}

TEST(Findings, ArithmeticThatHasNoAnswer) {
  EXPECT_EQ(found(kernel("  o[i] = 8 / (i - 3);")), "undefined at 3");
  EXPECT_EQ(found(kernel("  o[i] = 8 % (i - 3);")), "undefined at 3");
  EXPECT_EQ(found(kernel("  o[i] = 1 << (i * 8);")), "undefined at 3");
  EXPECT_EQ(found(kernel("  o[i] = 1 << i;")), "");
}

TEST(Findings, ASignedOverflowMattersWhereAnIndexComesFromIt) {
  EXPECT_EQ(found(kernel("  int far = (i + 1) * 1000000000;\n  o[i] = far;")), "");
  EXPECT_EQ(found(kernel("  int far = (i + 1) * 1000000000;\n  o[far & 7 ? i : i] = 1;\n  o[(far & 0) + i] = 1;")),
            "undefined at 5");
  EXPECT_EQ(found(kernel("  uint far = (uint)(i + 1) * 1000000000u;\n  o[(far & 0) + i] = 1;")), "");
}

TEST(Findings, LocalMemoryHoldsNothingAtFirst) {
  EXPECT_EQ(found(kernel("  __local int t[4];\n  o[i] = t[l];")), "undefined at 4");
}

TEST(Findings, AVariableHoldsNothingUntilItIsSet) {
  EXPECT_EQ(found(kernel("  int s;\n  o[i] = s;")), "undefined at 4");
  EXPECT_EQ(found(kernel("  int p[4];\n  p[0] = p[1] = p[2] = i;\n  o[i] = p[0] + p[3];")), "undefined at 5");
  EXPECT_EQ(found(kernel("  int s;\n  if (i < 8) s = i;\n  o[i] = s;")), "");
  EXPECT_EQ(found(kernel("  int4 v;\n  v.x = i;\n  v.yzw = (int3)(1);\n  o[i] = v.x + v.w;")), "");
  EXPECT_EQ(found(kernel("  int3 v;\n  v.x = v.y = v.z = i;\n  int3 w = v;\n  o[i] = w.z;")), "");
  EXPECT_EQ(found(kernel("  int p[4] = {1};\n  o[i] = p[3];")), "");
}

TEST(Findings, AVectorAtAnAddressThatDoesNotSuitIt) {
  EXPECT_EQ(found(kernel("  if (i == 0)\n    *(__global int4 *)(o + 1) = (int4)(0);")), "undefined at 4");
  EXPECT_EQ(found(kernel("  if (i == 0)\n    vstore4((int4)(0), 0, o + 1);")), "");
}

TEST(Findings, ABarrierThatNotAllReach) {
  EXPECT_EQ(found(kernel("  if (l == 0)\n    barrier(CLK_LOCAL_MEM_FENCE);")), "divergent barrier at 4");
}

TEST(Findings, WhatIsNotKnownIsNotHeldAgainstTheKernel) {
  EXPECT_EQ(found("typedef struct { int a; } S;\n__kernel void k(__global int *o) {\n  S s;\n}\n"), "unsupported at 3");
}

TEST(Findings, AKernelThatDoesNotEndIsLeft) {
  Options short_run;
  short_run.most_steps = 1000;
  EXPECT_EQ(found(kernel("  while (1) i++;"), short_run), "unsupported at 3");
}

TEST(Findings, OfManyGroupsTheFirstTheLastAndSomeBetweenAreEnough) {
  Options some;
  some.most_groups = 3;
  Bytes out(4 * 100);
  const auto unit = unit_with(kernel("  o[i] = 1;"));
  ASSERT_FALSE(run(unit, "k", {&out}, {{100, 1, 1}, {4, 1, 1}}, some));
  std::vector<int> written;
  for (int i = 0; i < 100; ++i)
    if (out[static_cast<std::size_t>(4 * i)] == 1) written.push_back(i);
  EXPECT_EQ(written, (std::vector<int>{0, 1, 2, 3, 48, 49, 50, 51, 96, 97, 98, 99}));
}

TEST(Findings, WhoeverHasSeenEnoughIsAskedNowAndThen) {
  Options patient;
  int asked = 0;
  patient.enough = [&asked] { return ++asked == 3; };
  EXPECT_EQ(found(kernel("  while (1) i++;"), patient), "unsupported at 3");
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace hone::interpreter
