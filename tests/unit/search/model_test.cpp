// What the default strategy's model is made of: coordinates, and kernels learned from data.

#include <gtest/gtest.h>

#include <cmath>

#include "search/kernel_fit.hpp"
#include "search/random.hpp"
#include "search/surrogate.hpp"
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
  ASSERT_EQ(features.dimensions().size(), 2U);
  EXPECT_EQ(features.placed(), 1U);
  EXPECT_EQ(features.dimensions()[1].column, 0U);
  const auto& at = features.dimensions()[1].coordinates;
  EXPECT_EQ(at[3], 1) << "64 is the most aligned";
  EXPECT_EQ(at[0], at[2]) << "16 and 48 are alike";
  EXPECT_EQ(at[0], at[4]) << "and so is 80";
  EXPECT_GT(at[1], at[2]) << "32 is not like 48";
}

TEST(Features, SizesWhoseOrderTellsTheirAlignmentNeedNoCoordinateForIt) {
  EXPECT_EQ(features_of({1, 2, 4, 8, 16}).dimensions().size(), 1U);
  EXPECT_EQ(features_of({1, 3, 5, 7}).dimensions().size(), 1U);
  EXPECT_EQ(features_of({0, 1, 2, 3}).dimensions().size(), 1U) << "zero is divisible by everything";
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

TEST(Kernel, PointsThatShareMostValuesStayAlikeHoweverShortTheLengths) {
  Space space;
  for (const auto* name : {"a", "b"}) space.parameters.push_back(integers(name, {0, 1}));
  const Features features(space);
  for (const auto family : {Kernel::Family::Exponential, Kernel::Family::Matern}) {
    auto kernel = Kernel::initial(features, family);
    kernel.inverse_length.setConstant(1e6);
    const auto at = features.embed({{0, 0}, {1, 0}, {1, 1}});
    const Vector alike = kernel.correlations(at.row(0), at);
    EXPECT_DOUBLE_EQ(alike[0], 1);
    EXPECT_GT(alike[1], 0.5);
    EXPECT_NEAR(alike[2], alike[1] * alike[1], 1e-12) << "each difference counts once";
  }
}

/// Each of three parameters costs its distance from the value 4 of 0 to 7; seen are only points that differ from the
/// slowest corner in one of them.
TEST(Surrogate, ExpectsOfCombinationsNeverSeenWhatTheirValuesDidAlone) {
  Space space;
  for (const auto* name : {"a", "b", "c"}) space.parameters.push_back(integers(name, {0, 1, 2, 3, 4, 5, 6, 7}));
  const Features features(space);
  std::vector<Point> seen = {{0, 0, 0}};
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::uint16_t v = 1; v < 8; ++v) {
      seen.push_back({0, 0, 0});
      seen.back()[p] = v;
    }
  }
  Vector targets(static_cast<Eigen::Index>(seen.size()));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    double time = 0;
    for (const auto v : seen[i]) time += std::abs(v - 4.0);
    targets[static_cast<Eigen::Index>(i)] = time;
  }
  const Vector once = Vector::Ones(targets.size());
  std::vector<Kernel> starts = {Kernel::initial(features, Kernel::Family::Exponential),
                                Kernel::initial(features, Kernel::Family::Matern)};
  const auto kernel = fit_kernel({features.embed(seen), targets, once}, starts, 4);
  Surrogate surrogate(kernel, features.embed({{4, 4, 4}, {7, 7, 0}, {4, 4, 0}}), seen.size());
  surrogate.add_all(features.embed(seen), once);
  const auto mean = surrogate.predict(targets).mean;
  EXPECT_LT(mean[0], targets.minCoeff() - 2) << "what is best in each is best in all";
  EXPECT_LT(mean[0], mean[2]);
  EXPECT_LT(mean[2], mean[1]);
}

}  // namespace
}  // namespace hone::search
