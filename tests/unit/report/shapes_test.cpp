#include "report/shapes.hpp"

#include <gtest/gtest.h>

namespace hone::report {
namespace {

Shapes two_and_one() {
  Shapes shapes;
  shapes.general = {{"ROWS", std::int64_t(2)}};
  const Configuration own = {{"ROWS", std::int64_t(8)}};
  shapes.lines = {
      {"d64", Role::Tune, 2.0, 4.0, own}, {"d4096", Role::Tune, 8.0, 8.0, {}}, {"d5120", Role::HeldOut, 3.0, {}, {}}};
  shapes.choice = {{"d == 64", own}};
  return shapes;
}

TEST(Shapes, AreShownWithBothFiguresAndTheirMeans) {
  const auto words = in_words(two_and_one());
  EXPECT_EQ(words[0], "d64 (tune): general 2.00x, per shape 4.00x with ROWS=8");
  EXPECT_EQ(words[1], "d4096 (tune): general 8.00x, per shape 8.00x");
  EXPECT_EQ(words[2], "d5120 (held-out): general 3.00x, per shape no figure");
  EXPECT_EQ(words[3], "geometric mean of tune: general 4.00x, per shape 5.66x");
  EXPECT_EQ(words.back(), "the patch carries the general configuration");
}

TEST(Shapes, AreData) {
  const auto json = data(two_and_one());
  EXPECT_EQ(json["general"], "ROWS=2");
  EXPECT_EQ(json["shapes"][0]["configuration"], "ROWS=8");
  EXPECT_EQ(json["shapes"][1]["configuration"], "ROWS=2");
  EXPECT_TRUE(json["shapes"][2]["per_shape"].is_null());
  EXPECT_DOUBLE_EQ(json["means"]["tune"]["general"], 4);
  EXPECT_TRUE(json["means"]["held-out"]["per_shape"].is_null()) << "one shape without a figure: no mean";
  EXPECT_EQ(json["choice"][0]["when"], "d == 64");
  EXPECT_EQ(json["patch"], "general");
}

}  // namespace
}  // namespace hone::report
