#include "search/region.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "spaces.hpp"

namespace hone::search {
namespace {

TEST(Region, CountsWhatBruteForceCounts) {
  const auto space = block_space();
  const auto region = Region::build(space);
  ASSERT_TRUE(region);
  EXPECT_TRUE(region->exact());
  EXPECT_EQ(static_cast<std::size_t>(region->count()), count_valid(space));
}

TEST(Region, IsNoneWhereAConstraintOverNoParameterIsFalse) {
  for (auto space : {block_space(), Space{}}) {
    space.constraints.push_back({"always", *Expression::parse("4096 <= 32768")});
    EXPECT_TRUE(Region::build(space));
    space.constraints.push_back({"local memory", *Expression::parse("65536 <= 32768")});
    const auto region = Region::build(space);
    ASSERT_FALSE(region);
    EXPECT_EQ(region.error().text(),
              "E-SPACE  no configuration satisfies the constraint local memory (65536 <= 32768)");
  }
}

TEST(Region, ListsEveryValidPointOnce) {
  const auto space = block_space();
  const auto region = Region::build(space).value();
  std::set<Point> listed;
  for (const auto& point : region.list(100000)) EXPECT_TRUE(listed.insert(point).second);
  EXPECT_EQ(listed.size(), count_valid(space));
  each_valid(space, [&](const Configuration& c) { EXPECT_TRUE(listed.contains(region.point(c).value())); });
}

TEST(Region, PositionsAreABijection) {
  const auto region = Region::build(block_space()).value();
  std::set<Point> seen;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(region.count()); ++i) {
    const auto point = region.at(i);
    EXPECT_TRUE(region.contains(point));
    EXPECT_TRUE(seen.insert(point).second);
  }
}

TEST(Region, SamplesUniformly) {
  const auto region = Region::build(block_space()).value();
  const double n = static_cast<double>(region.count());
  const std::size_t draws = 200 * static_cast<std::size_t>(n);
  std::map<Point, double> hits;
  Random random(7);
  for (std::size_t i = 0; i < draws; ++i) hits[region.sample(random).value()] += 1;
  const double expected = static_cast<double>(draws) / n;
  double chi_square = 0;
  for (const auto& [point, count] : hits) chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_EQ(hits.size(), static_cast<std::size_t>(n));
  // Wilson-Hilferty: within 4 sigma of its mean when uniform.
  const double k = n - 1, z = (std::cbrt(chi_square / k) - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
  EXPECT_LT(std::abs(z), 4);
}

TEST(Region, StaysUniformWhenConstraintsAreLeftToSampling) {
  const auto exact = Region::build(block_space()).value();
  const auto relaxed = Region::build(block_space(), {}, {.edges = 60}).value();
  EXPECT_FALSE(relaxed.exact());
  EXPECT_GE(relaxed.count(), exact.count());
  const double n = static_cast<double>(exact.count());
  std::map<Point, double> hits;
  Random random(11);
  const std::size_t draws = 100 * static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < draws; ++i) {
    const auto point = relaxed.sample(random).value();
    ASSERT_TRUE(exact.contains(point));
    hits[point] += 1;
  }
  double chi_square = 0;
  for (const auto& [point, count] : hits) chi_square += (count - 100) * (count - 100) / 100;
  const double k = n - 1, z = (std::cbrt(chi_square / k) - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
  EXPECT_LT(std::abs(z), 4);
  EXPECT_EQ(relaxed.list(100000).size(), exact.list(100000).size());
}

TEST(Region, NeighboursDifferInOneValueAndAreValid) {
  const auto region = Region::build(block_space()).value();
  const auto from = region.at(17);
  for (const bool adjacent : {false, true}) {
    for (const auto& point : region.neighbours(from, adjacent)) {
      int changed = 0;
      for (std::size_t i = 0; i < point.size(); ++i) {
        changed += point[i] != from[i] ? 1 : 0;
        EXPECT_LE(std::abs(point[i] - from[i]), adjacent ? 1 : 100);
      }
      EXPECT_EQ(changed, 1);
      EXPECT_TRUE(region.contains(point));
    }
  }
}

TEST(Region, CountsATrillionPointsWithoutListingThem) {
  Space space;
  for (int i = 0; i < 12; ++i) {
    space.parameters.push_back(integers("p" + std::to_string(i), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  }
  for (int i = 0; i + 1 < 12; ++i) {
    space.constraints.push_back(constraint("p" + std::to_string(i) + " * p" + std::to_string(i + 1) + " <= 40"));
  }
  space.constraints.push_back(constraint("p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 <= 48"));
  const auto region = Region::build(space).value();
  EXPECT_TRUE(region.exact());
  EXPECT_GT(region.count(), 1e9L);
  Random random(3);
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(region.contains(region.sample(random).value()));
}

TEST(Region, HandlesStringsAndBooleans) {
  Space space;
  space.parameters = {
      {"layout", {Value(std::string("row")), Value(std::string("column")), Value(std::string("tiled"))}, {}},
      {"pad", {Value(false), Value(true)}, {}},
      {"scale", {Value(0.25), Value(0.5), Value(1.0)}, {}},
      integers("n", {1, 2, 4})};
  space.constraints = {constraint("layout in ['row', 'tiled'] or not pad"), constraint("layout != 'tiled' or n > 1"),
                       constraint("n * scale >= 0.5"), constraint("layout in 'row or column' or n < 4")};
  const auto region = Region::build(space).value();
  EXPECT_EQ(static_cast<std::size_t>(region.count()), count_valid(space));
}

TEST(Region, AnErrorInAConstraintMakesThePointInvalid) {
  Space space;
  space.parameters = {integers("a", {0, 1, 2}), integers("b", {0, 1, 2})};
  space.constraints = {constraint("not (4 % a == b)")};
  EXPECT_EQ(static_cast<std::size_t>(Region::build(space)->count()), count_valid(space));
  space.constraints = {constraint("a == 0 or 4 % a == b")};
  EXPECT_EQ(static_cast<std::size_t>(Region::build(space)->count()), count_valid(space));
}

TEST(Region, TakesDeviceLimitsFromOutside) {
  Space space;
  space.parameters = {integers("a", {1, 2, 4, 8})};
  space.constraints = {constraint("a <= device.limit")};
  const std::map<std::string, Value> known = {{"device.limit", Value(std::int64_t{4})}};
  EXPECT_EQ(Region::build(space, environment_of(known))->count(), 3);
  EXPECT_EQ(Region::build(space).error().code(), "E-SPACE");
}

TEST(Region, SaysWhenNothingIsValid) {
  Space space;
  space.parameters = {integers("a", {1, 2})};
  space.constraints = {constraint("a > 2")};
  EXPECT_EQ(Region::build(space).error().code(), "E-SPACE");
}

}  // namespace
}  // namespace hone::search
