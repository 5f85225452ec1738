#include "patterns/patterns.hpp"

#include <gtest/gtest.h>

#include "patterns/signature.hpp"

namespace hone::patterns {
namespace {

Mep mep_of(const std::string& source, const std::string& type = "float") {
  Mep mep;
  mep.source = source;
  mep.kernels = {{"k",
                  {{"a", ArgumentSpec::Kind::Buffer, type, Access::Read},
                   {"c", ArgumentSpec::Kind::Buffer, type, Access::Write}}}};
  mep.workloads = {{"tune", Role::Tune, {}, {Launch{"k", {}, {Expression(), Expression()}, {}, {}}}}};
  return mep;
}

const Mep product =
    mep_of("__kernel void k() { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i]; /* for { */ }");
const Mep reduction = mep_of("__kernel void k(__local float *t) { for (;;) { barrier(1); } }");

DeviceInfo device(const std::string& name) {
  DeviceInfo out;
  out.name = name;
  return out;
}

Incumbent winner(const std::string& schedule) {
  Incumbent out;
  out.template_name = "t";
  out.schedule = {step_from_text(schedule)};
  return out;
}

Comparison faster(double low) { return {Comparison::Call::Faster, low * 1.1, low, low * 1.2, 0.95, 30}; }

Pattern pattern(const Mep& mep, const std::string& change, double low, const std::string& on = "here") {
  return *pattern_of(mep, winner(change), faster(low), device(on), "trial");
}

TEST(Signature, NamesWhatMattersOfTheCode) {
  const auto features = features_of(product);
  EXPECT_EQ(features.at("loops"), "2");
  EXPECT_EQ(features.at("dimensions"), "2");
  EXPECT_EQ(features.at("types"), "float");
  EXPECT_EQ(features.at("buffers"), "2");
  EXPECT_EQ(features.at("written"), "1");
  EXPECT_EQ(features.at("barriers"), "no");
  EXPECT_EQ(features_of(reduction).at("barriers"), "yes");
}

TEST(Signature, CountsNestedLoopsWithAndWithoutBraces) {
  const auto depth = [](const std::string& body) {
    return features_of(mep_of("__kernel void k() {" + body + "}")).at("loops");
  };
  EXPECT_EQ(depth("x;"), "0");
  EXPECT_EQ(depth("for (;;) x; for (;;) y;"), "1");
  EXPECT_EQ(depth("for (;;) { if (a) { while (b) c; } for (;;) d; }"), "2");
  EXPECT_EQ(depth("for (a; b; c) for (;;) for (;;) { x; }"), "3");
}

TEST(Signature, IsReadBackAsWritten) { EXPECT_EQ(parse(print(features_of(product))), features_of(product)); }

TEST(Signature, IsMostLikeItself) {
  EXPECT_DOUBLE_EQ(likeness(features_of(product), features_of(product)), 1);
  EXPECT_LT(likeness(features_of(product), features_of(reduction)), 1);
  EXPECT_DOUBLE_EQ(likeness({}, {}), 0);
}

TEST(Patterns, ComeOnlyFromProvenWins) {
  const auto same = Comparison{Comparison::Call::Same, 1, 0.99, 1.01, 0.95, 30};
  EXPECT_FALSE(pattern_of(product, winner("lanes 0 VX"), same, device("here"), "t"));
  EXPECT_FALSE(pattern_of(product, Incumbent{}, faster(2), device("here"), "t"));
  EXPECT_EQ(pattern(product, "lanes 0 VX", 2).change, "lanes 0 VX");
}

TEST(Patterns, OfASourceKeepWhatItDidAndHow) {
  Incumbent written;
  written.template_name = "model-1-2";
  written.rationale = "a tile of b in local memory";
  written.variant.source = "__kernel void k() { }";
  const auto kept = *pattern_of(product, written, faster(2), device("here"), "t");
  EXPECT_EQ(kept.change, "model-1-2: a tile of b in local memory");
  EXPECT_EQ(kept.source, written.variant.source);
  EXPECT_EQ(pattern(product, "lanes 0 VX", 2).source, "") << "a schedule says how by itself";
}

TEST(Patterns, OfLikeCodeComeFirstThenTheSameDeviceThenTheGain) {
  const std::vector<Pattern> all = {pattern(reduction, "fold", 50), pattern(product, "elsewhere", 3, "there"),
                                    pattern(product, "small", 1.1), pattern(product, "large", 3)};
  std::vector<std::string> order;
  for (const auto& one : ranked(all, product, device("here"), 10)) order.push_back(one.change);
  EXPECT_EQ(order, (std::vector<std::string>{"large", "small", "elsewhere", "fold"}));
}

TEST(Patterns, ThatMisledWhoFollowedThemLoseWeightAndThoseThatHelpedGainIt) {
  std::vector<Pattern> all = {pattern(product, "praised", 3), pattern(product, "plain", 2)};
  all[0].trial = "praised";
  const auto first = [&](const PatternUses& uses) {
    return ranked(all, product, device("here"), 1, uses).front().change;
  };
  EXPECT_EQ(first({}), "praised");
  EXPECT_EQ(first({{"praised", {3, 0}}}), "plain");
  EXPECT_EQ(first({{"praised", {3, 3}}}), "praised");
  EXPECT_GT(PatternUse({2, 2}).trust(), 1);
  EXPECT_LT(PatternUse({2, 0}).trust(), 1);
  EXPECT_DOUBLE_EQ(PatternUse().trust(), 1);
}

TEST(Patterns, OfTheSameChangeCountOnceAndTheListIsBounded) {
  const std::vector<Pattern> all = {pattern(product, "a", 2), pattern(product, "a", 4), pattern(product, "b", 2),
                                    pattern(product, "c", 2)};
  const auto best = ranked(all, product, device("here"), 2);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_DOUBLE_EQ(best[0].low, 4);
}

}  // namespace
}  // namespace hone::patterns
