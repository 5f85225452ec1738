// What the default strategy's model is made of: coordinates, and kernels learned from data.

#include <gtest/gtest.h>

#include "search/kernel_fit.hpp"
#include "search/random.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

Features features_of(std::initializer_list<std::int64_t> values) {
  Space space;
  space.parameters = {integers("block", values)};
  return Features(space);
}

TEST(Features, PowersOfTwoAmongOtherSizesGetACoordinateOfTheirOwn) {
  const auto features = features_of({16, 32, 48, 64, 80});
  ASSERT_EQ(features.dimensions(), 2U);
  EXPECT_EQ(features.placed(), 1U);
  EXPECT_EQ(features.parameter(1), 0U);
  const auto at = features.embed({{0}, {1}, {2}, {3}, {4}});
  EXPECT_EQ(at(3, 1), 1) << "64 is the most aligned";
  EXPECT_EQ(at(0, 1), at(2, 1)) << "16 and 48 are alike";
  EXPECT_EQ(at(0, 1), at(4, 1)) << "and so is 80";
  EXPECT_GT(at(1, 1), at(2, 1)) << "32 is not like 48";
}

TEST(Features, SizesWhoseOrderTellsTheirAlignmentNeedNoCoordinateForIt) {
  EXPECT_EQ(features_of({1, 2, 4, 8, 16}).dimensions(), 1U);
  EXPECT_EQ(features_of({1, 3, 5, 7}).dimensions(), 1U);
  EXPECT_EQ(features_of({0, 1, 2, 3}).dimensions(), 1U) << "zero is divisible by everything";
}

TEST(Features, AlignmentDoesNotMoveTheCentre) {
  const auto features = features_of({16, 32, 48, 64, 80});
  EXPECT_LT(features.eccentricity({1}), features.eccentricity({3}));
  EXPECT_NEAR(features.distance({0}, {4}), 1, 1e-12);
}

/// Noise of a tenth around a slope of one, at few points: too few to tell one from the other by themselves.
double noise_learned(double repeat_variance, std::size_t repeats_seen) {
  const auto features = features_of({1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<Point> points;
  Vector targets(8);
  Random random(3);
  for (std::uint16_t i = 0; i < 8; ++i) {
    points.push_back({i});
    targets[i] = 0.1 * i + 0.1 * random.normal();
  }
  std::vector<Kernel> starts = {Kernel::initial(features, Kernel::Family::Exponential)};
  return fit_kernel({features.embed(points), targets, Vector::Ones(8), repeat_variance, repeats_seen}, starts, 6).noise;
}

TEST(KernelFit, BelievesWhatRepetitionsShowedOfTheNoise) {
  const double unknown = noise_learned(0, 0);
  EXPECT_GT(noise_learned(0.01, 10), 4 * unknown);
  EXPECT_GT(noise_learned(0.01, 100), noise_learned(0.0001, 100));
}

}  // namespace
}  // namespace hone::search
