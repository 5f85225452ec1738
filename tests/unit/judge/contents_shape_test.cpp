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

TEST(OtherContents, LeaveOutputsAndCapturedDataAlone) {
  EXPECT_TRUE(other_contents(with("float", "zero")).empty());
  Problem problem;
  problem.buffers = {{"a", "float", 1, "uniform(0,2)", 1, false, {1, 2, 3, 4}}};
  fill_as({"scaled", {{"a", "uniform(0,96)"}}, false}, problem);
  EXPECT_EQ(problem.buffers[0].fill, "uniform(0,2)");
}

}  // namespace
}  // namespace hone::judge
