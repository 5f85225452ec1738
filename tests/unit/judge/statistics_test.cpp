#include "judge/statistics.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hone::judge {
namespace {

/// Pairs on a machine whose mood changes in bursts: both of a pair usually see the same mood.
std::vector<Pair> measured(double ratio, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.02);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double mood = random() % 3 == 0 ? 1.6 : 1.0;
    const double edge = random() % 10 == 0 ? 1.4 : 1.0;
    const bool first = random() % 2 == 0;
    pairs.push_back({Nanoseconds(1e6 * ratio * mood * (first ? edge : 1) * std::exp(noise(random))),
                     Nanoseconds(1e6 * mood * (first ? 1 : edge) * std::exp(noise(random)))});
  }
  return pairs;
}

Comparison decided(double ratio, std::uint64_t seed) {
  const auto all = measured(ratio, Effort::Limits{}.most, seed);
  const Effort effort(Effort::Limits{});
  Comparison comparison;
  std::size_t taken = 0;
  for (auto more = effort.next(0, {}); more > 0; more = effort.next(taken, comparison)) {
    taken += more;
    comparison = compare_pairs(std::span(all).first(taken), {});
  }
  return comparison;
}

TEST(Statistics, EqualKernelsAreHardlyEverCalledDifferent) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto call = decided(1, seed).call;
    wrong += call == Comparison::Call::Faster || call == Comparison::Call::Slower ? 1 : 0;
  }
  EXPECT_LE(wrong, 2);
}

TEST(Statistics, FivePercentAreFoundAndNeverTheWrongWay) {
  int right = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto call = decided(1.05, seed).call;
    right += call == Comparison::Call::Faster ? 1 : 0;
    EXPECT_NE(call, Comparison::Call::Slower);
  }
  EXPECT_GE(right, 90);
}

TEST(Statistics, PairsThatABurstMetOnOneSideAreLeftOut) {
  std::vector<Pair> pairs(40, {Nanoseconds(1.05e6), Nanoseconds(1e6)});
  for (std::size_t i = 0; i < 40; i += 4) pairs[i].incumbent *= 2;
  for (std::size_t i = 1; i < 40; i += 4) pairs[i].challenger *= 2;
  EXPECT_EQ(undisturbed(pairs).size(), 20U);
  EXPECT_NEAR(compare_pairs(pairs, {}).low, 1.05, 1e-9);
}

TEST(Statistics, WhatIsSlowByItselfIsNotExcused) {
  std::vector<Pair> pairs(40, {Nanoseconds(1e6), Nanoseconds(0.9e6)});
  for (std::size_t i = 0; i < 40; i += 2) pairs[i].challenger *= 3;
  EXPECT_EQ(undisturbed(pairs).size(), 40U);
  EXPECT_NE(compare_pairs(pairs, {}).call, Comparison::Call::Faster);
}

TEST(Statistics, TheTimesAreThoseOfTheRatio) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto found = compare_pairs(measured(52.7, 30, seed), {});
    EXPECT_NEAR(found.incumbent / found.challenger, found.ratio, 1e-9 * found.ratio);
    EXPECT_LE(found.low, found.ratio);
    EXPECT_GE(found.high, found.ratio);
  }
}

TEST(Statistics, TheSameSeedGivesTheSameInterval) {
  const auto pairs = measured(1.1, 30, 4);
  EXPECT_EQ(compare_pairs(pairs, {}).low, compare_pairs(pairs, {}).low);
}

TEST(Statistics, AHugeDifferenceNeedsFewPairs) { EXPECT_EQ(decided(40, 1).pairs, 5U); }

TEST(Statistics, BusyEndsTooAndNeverCountsAsACall) {
  Comparison busy;
  busy.call = Comparison::Call::Busy;
  const Effort effort(Effort::Limits{});
  EXPECT_GT(effort.next(12, busy), 0U);
  EXPECT_EQ(effort.next(24, busy), 0U);
  const Comparison fast{Comparison::Call::Faster, 4, 3.9, 4.1, 0.99, 12, {}, {}};
  EXPECT_EQ(combine(std::vector{fast, busy}, 0.02).call, Comparison::Call::Busy);
  EXPECT_EQ(agreed(fast, busy).call, Comparison::Call::Busy);
}

TEST(Statistics, OneSlowWorkloadForbidsTheCallFaster) {
  Comparison fast{Comparison::Call::Faster, 4, 3.9, 4.1, 0.99, 12};
  Comparison slow{Comparison::Call::Slower, 0.8, 0.79, 0.81, 0.99, 12};
  EXPECT_EQ(combine(std::vector{fast, fast}, 0.02).call, Comparison::Call::Faster);
  EXPECT_NEAR(combine(std::vector{fast, fast}, 0.02).ratio, 4, 1e-9);
  EXPECT_EQ(combine(std::vector{fast, slow}, 0.02).call, Comparison::Call::Unclear);
}

TEST(Statistics, WhatTwoMeasurementsDoNotShareIsUnclear) {
  const Comparison fast{Comparison::Call::Faster, 1.2, 1.1, 1.3, 0.99, 12};
  const Comparison same{Comparison::Call::Same, 1, 0.99, 1.01, 0.99, 24};
  EXPECT_EQ(agreed(fast, fast).call, Comparison::Call::Faster);
  EXPECT_EQ(agreed(fast, same).call, Comparison::Call::Unclear);
  EXPECT_EQ(agreed(fast, same).low, 0.99);
  EXPECT_EQ(agreed(fast, same).high, 1.3);
}

TEST(Statistics, DriftIsSeen) {
  std::vector<Nanoseconds> samples;
  for (int i = 0; i < 30; ++i) samples.emplace_back(1e6 * (1 + i * 0.01));
  EXPECT_GT(drift_of(samples), 1.15);
}

}  // namespace
}  // namespace hone::judge
