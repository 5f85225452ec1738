#include "judge/contents_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::judge {
namespace {

Mep with(const std::string& type, const std::string& fill) {
  Mep mep;
  mep.buffers.push_back({"a", type, Expression::literal(std::int64_t{8}), fill});
  return mep;
}

Workload at(const Mep& mep) { return mep.workloads.empty() ? Workload() : mep.workloads.front(); }

std::map<std::string, std::string> fills(const Mep& mep) {
  std::map<std::string, std::string> out;
  for (const auto& shape : other_contents(mep, at(mep))) out[shape.name] = shape.fills.at("a");
  return out;
}

TEST(OtherContents, HaveSignsScalesAndZerosThatWereNotDeclared) {
  const std::map<std::string, std::string> wanted = {{"other signs", "uniform(-2,2)"},
                                                     {"scaled", "uniform(0,96)"},
                                                     {"scaled and below zero", "uniform(-96,0)"},
                                                     {"sparse", "sparse(0,2)"},
                                                     {"zeros", "zero"}};
  EXPECT_EQ(fills(with("float", "uniform(0,2)")), wanted);
  EXPECT_EQ(fills(with("float", "uniform(-1,1)")).at("other signs"), "uniform(0,1)");
}

TEST(OtherContents, BreakASymmetryAndLetIndicesCollide) {
  EXPECT_EQ(fills(with("float", "spd(64)")).at("restructured"), "dominant(64)");
  EXPECT_EQ(fills(with("int", "permutation(64)")).at("restructured"), "const(0)");
  EXPECT_EQ(fills(with("int", "offsets(64,8)")).at("restructured"), "offsets(64,1)") << "one row has it all";
}

TEST(OtherContents, WholeNumbersAreOnlyWidenedWhereSomeoneWatchesTheOriginal) {
  const auto shapes = other_contents(with("int", "uniform_int(0,9)"), {});
  for (const auto& shape : shapes) EXPECT_TRUE(shape.checks_definedness) << shape.name;
  const std::map<std::string, std::string> wanted = {{"mostly alike", "sparse(0,9)"},
                                                     {"wider", "uniform_int(-28,28)"},
                                                     {"of the whole range", "uniform_int(-2147483648,2147483647)"},
                                                     {"at the end of the range", "uniform_int(2147483547,2147483647)"}};
  EXPECT_EQ(fills(with("int", "uniform_int(0,9)")), wanted);
  EXPECT_EQ(fills(with("uchar", "uniform_int(0,9)")).at("of the whole range"), "uniform_int(0,255)");
  EXPECT_EQ(fills(with("int", "uniform_int(3,9)")).at("mostly alike"), "const(6)");
}

TEST(OtherContents, DifferWhereOneNumberWasDeclaredForAll) {
  EXPECT_EQ(fills(with("float", "const(0.25)")).at("varied"), "uniform(0.125,0.5)");
  EXPECT_EQ(fills(with("float", "zero")).at("varied"), "uniform(-1,1)");
  EXPECT_EQ(fills(with("int", "ramp")).at("restructured"), "const(0)");
  const auto counts = other_contents(with("int", "zero"), {});
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_TRUE(counts[0].checks_definedness) << "a count may be an index";
}

TEST(OtherContents, FollowSizesThatAFillIsMadeOf) {
  auto mep = with("float", "spd(max(1, n))");
  mep.buffers[0].extent = Expression::name("n");
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{12}}}, {}}};
  EXPECT_EQ(fills(mep).at("restructured"), "dominant(12)");
}

TEST(OtherContents, HaveOtherScalarsThanThoseThatArePassedButNoOtherSizes) {
  auto mep = with("float", "spd(8)");
  mep.buffers[0].extent = Expression::name("n");
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{5}}}, {}}};
  std::map<std::string, std::map<std::string, Value>> found;
  for (const auto& shape : other_contents(mep, at(mep)))
    if (!shape.scalars.empty()) found[shape.name] = with_scalars_of(shape, mep.workloads[0]).scalars;
  const std::map<std::string, std::map<std::string, Value>> wanted = {
      {"other scalars", {{"n", std::int64_t{8}}, {"alpha", 0.75}, {"taps", std::int64_t{5}}}},
      {"other scalars of the other sign", {{"n", std::int64_t{8}}, {"alpha", -2.25}, {"taps", std::int64_t{5}}}},
      {"scalars of zero", {{"n", std::int64_t{8}}, {"alpha", 0.0}, {"taps", std::int64_t{5}}}},
      {"other counts", {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{4}}}},
      {"higher counts", {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{11}}}},
      {"counts of zero", {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{0}}}}};
  EXPECT_EQ(found, wanted);
}

TEST(OtherContents, ChangeALiteralThatEveryLaunchPassesAndGiveItRoom) {
  auto mep = with("float", "zero");
  mep.kernels = {{"k",
                  {{"offset", ArgumentSpec::Kind::Scalar, "int", Access::Read},
                   {"step", ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
  Launch first{
      "k",
      {{"offset", {Expression::literal(std::int64_t{0}), {}}}, {"step", {Expression::literal(std::int64_t{1}), {}}}},
      {},
      {},
      {}};
  auto second = first;
  second.arguments["step"] = {Expression::literal(std::int64_t{2}), {}};
  mep.workloads = {{"tune", Role::Tune, {}, {first, second}}};
  const auto shapes = other_contents(mep, at(mep));
  const auto higher = std::ranges::find(shapes, "higher counts", &ContentsShape::name);
  ASSERT_NE(higher, shapes.end());
  EXPECT_EQ(higher->scalars, (std::map<std::string, ScalarChange>{{"k.offset", ScalarChange::More}})) << "steps differ";
  const auto changed = with_scalars_of(*higher, mep.workloads[0]);
  EXPECT_EQ(std::get<Launch>(changed.launches[1]).arguments.at("offset").value.print(), "3");
  Problem problem;
  problem.buffers.resize(1);
  problem.buffers[0].count = 8;
  fill_as(*higher, problem);
  EXPECT_EQ(problem.buffers[0].count, 16U);
}

TEST(OtherContents, AllAtOnceHaveTheWidestRangeAndZeros) {
  const auto all = all_at_once(other_contents(with("float", "uniform(0,2)"), {}));
  EXPECT_EQ(all.fills.at("a"), "sparse(-96,96)");
}

TEST(OtherContents, LeaveCapturedDataAlone) {
  Problem problem;
  problem.buffers = {{"a", "float", 1, "uniform(0,2)", 1, false, {1, 2, 3, 4}}};
  fill_as({"scaled", {{"a", "uniform(0,96)"}}, false}, problem);
  EXPECT_EQ(problem.buffers[0].fill, "uniform(0,2)");
}

}  // namespace
}  // namespace hone::judge
