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

std::map<std::string, std::string> fills(const Mep& mep) {
  std::map<std::string, std::string> out;
  for (const auto& shape : other_contents(mep)) out[shape.name] = shape.fills.at("a");
  return out;
}

TEST(OtherContents, HaveSignsScalesAndZerosThatWereNotDeclared) {
  const std::map<std::string, std::string> wanted = {
      {"other signs", "uniform(-2,2)"}, {"scaled", "uniform(0,96)"}, {"sparse", "sparse(0,2)"}};
  EXPECT_EQ(fills(with("float", "uniform(0,2)")), wanted);
  EXPECT_EQ(fills(with("float", "uniform(-1,1)")).at("other signs"), "uniform(0,1)");
}

TEST(OtherContents, BreakASymmetryAndLetIndicesCollide) {
  EXPECT_EQ(fills(with("float", "spd(64)")).at("restructured"), "dominant(64)");
  EXPECT_EQ(fills(with("int", "permutation(64)")).at("restructured"), "const(0)");
}

TEST(OtherContents, WholeNumbersAreOnlyWidenedWhereSomeoneWatchesTheOriginal) {
  const auto shapes = other_contents(with("int", "uniform_int(0,9)"));
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_TRUE(shapes[0].checks_definedness);
  EXPECT_EQ(shapes[0].fills.at("a"), "uniform_int(-28,28)");
}

TEST(OtherContents, DifferWhereOneNumberWasDeclaredForAll) {
  EXPECT_EQ(fills(with("float", "const(0.25)")).at("varied"), "uniform(0.125,0.5)");
  EXPECT_EQ(fills(with("float", "zero")).at("varied"), "uniform(-1,1)");
  EXPECT_EQ(fills(with("int", "ramp")).at("restructured"), "const(0)");
  const auto counts = other_contents(with("int", "zero"));
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_TRUE(counts[0].checks_definedness) << "a count may be an index";
}

TEST(OtherContents, HaveOtherScalarsThanThoseThatArePassedButNoOtherSizes) {
  auto mep = with("float", "spd(8)");
  mep.buffers[0].extent = Expression::name("n");
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{5}}}, {}}};
  std::map<std::string, std::map<std::string, Value>> found;
  for (const auto& shape : other_contents(mep))
    if (!shape.scalars.empty()) found[shape.name] = with_scalars_of(shape, mep.workloads[0]).scalars;
  const std::map<std::string, std::map<std::string, Value>> wanted = {
      {"other scalars", {{"n", std::int64_t{8}}, {"alpha", 0.75}, {"taps", std::int64_t{5}}}},
      {"other counts", {{"n", std::int64_t{8}}, {"alpha", 1.5}, {"taps", std::int64_t{4}}}}};
  EXPECT_EQ(found, wanted);
}

TEST(OtherContents, AllAtOnceHaveTheWidestRangeAndZeros) {
  const auto all = all_at_once(other_contents(with("float", "uniform(0,2)")));
  EXPECT_EQ(all.fills.at("a"), "sparse(-2,96)");
}

TEST(OtherContents, LeaveCapturedDataAlone) {
  Problem problem;
  problem.buffers = {{"a", "float", 1, "uniform(0,2)", 1, false, {1, 2, 3, 4}}};
  fill_as({"scaled", {{"a", "uniform(0,96)"}}, false}, problem);
  EXPECT_EQ(problem.buffers[0].fill, "uniform(0,2)");
}

}  // namespace
}  // namespace hone::judge
