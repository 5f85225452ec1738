#include "judge/outputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace hone::judge {
namespace {

template <class T>
Bytes8 bytes(const std::vector<T>& values) {
  Bytes8 out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}
const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInf = std::numeric_limits<float>::infinity();

bool same(const std::vector<float>& wanted, const std::vector<float>& got) {
  return !compare_output("float", bytes(wanted), bytes(got), {});
}

TEST(Outputs, RoundingIsToleratedAndErrorsAreNot) {
  EXPECT_TRUE(same({1, 2, 3}, {1.00001F, 2, 3}));
  EXPECT_FALSE(same({1, 2, 3}, {1.001F, 2, 3}));
}

TEST(Outputs, CancellationIsToleratedAtTheScaleOfTheOutput) {
  EXPECT_TRUE(same({10, -12, 1e-7F, 9}, {10, -12, 3e-7F, 9}));
}

TEST(Outputs, SmallElementsBesideHugeOnesMustBeRight) {
  std::vector<float> wanted(100, 1);
  wanted[0] = 1e9F;
  auto got = wanted;
  got[50] = 0;
  EXPECT_FALSE(same(wanted, got));
}

TEST(Outputs, NanAndInfOnlyWhereTheOriginalHasThem) {
  EXPECT_TRUE(same({kNan, 1, kInf}, {-kNan, 1, kInf}));
  EXPECT_FALSE(same({1, 1}, {kNan, 1}));
  EXPECT_FALSE(same({kNan, 1}, {1, 1}));
  EXPECT_FALSE(same({kInf, 1}, {-kInf, 1}));
  const auto difference = compare_output("float", bytes<float>({1, 1}), bytes<float>({1, kInf}), {});
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->of_kind);
}

TEST(Outputs, AStricterRuleOfTheMepHoldsAndALooserOneDoesNot) {
  CompareRule strict;
  strict.relative = 1e-7;
  EXPECT_TRUE(compare_output("float", bytes<float>({1, 2}), bytes<float>({1.00001F, 2}), strict));
  CompareRule loose;
  loose.relative = 0.5;
  EXPECT_TRUE(compare_output("float", bytes<float>({1, 2}), bytes<float>({1.2F, 2}), loose));
}

TEST(Outputs, IntegersAreEqualOrNot) {
  EXPECT_FALSE(compare_output("int", bytes<int>({1, -2}), bytes<int>({1, -2}), {}));
  const auto difference = compare_output("int", bytes<int>({1, -2, 4}), bytes<int>({1, -3, 5}), {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->element, 1U);
  EXPECT_EQ(difference->count, 2U);
  EXPECT_EQ(difference->got, -3);
}

TEST(Outputs, AFewPixelsMayBeOneStepApart) {
  const std::vector<std::uint8_t> wanted(5000, 97);
  const auto with = [&](std::size_t count, std::uint8_t value) {
    auto got = wanted;
    for (std::size_t i = 0; i < count; ++i) got[7 * i] = value;
    return compare_output("unorm_int8", bytes(wanted), bytes(got), {});
  };
  EXPECT_FALSE(with(3, 98));
  EXPECT_TRUE(with(1, 99)) << "two steps";
  EXPECT_TRUE(with(40, 98)) << "more than a few";
  auto got = wanted;
  got[3] = 98;
  EXPECT_TRUE(compare_output("uchar", bytes(wanted), bytes(got), {})) << "integers are equal or not";
}

TEST(Outputs, WhatTheOriginalLeavesUnwrittenMustStaySo) {
  Bytes8 poison(8, 0x7B);
  EXPECT_FALSE(compare_output("float", poison, poison, {}));
  auto written = poison;
  written[0] = 0x7A;  // tiny as a relative difference, and still a write
  EXPECT_TRUE(compare_output("float", poison, written, {}));
}

TEST(Outputs, UnwrittenElementsAreRecognised) {
  auto got = bytes<float>({1, 2});
  std::fill(got.begin() + 4, got.end(), 0x7B);
  EXPECT_TRUE(compare_output("float", bytes<float>({1, 2}), got, {})->looks_unwritten);
}

TEST(Outputs, ThePaddingOfThreeLanesIsNobodys) {
  EXPECT_FALSE(compare_output("float3", bytes<float>({1, 2, 3, 4}), bytes<float>({1, 2, 3, 5}), {}));
}

TEST(Outputs, PrecisionIsHeldAgainstTheOriginalsOwnError) {
  const auto exact = bytes<float>({1, 2, 3});
  const auto original = bytes<float>({1.000002F, 2, 3});
  EXPECT_FALSE(
      compare_precision("float", exact, own_errors("float", exact, original), bytes<float>({1, 2.000003F, 3})));
  EXPECT_TRUE(compare_precision("float", exact, own_errors("float", exact, original), bytes<float>({1, 2.00002F, 3})));
}

TEST(Outputs, StructsAreComparedFieldByField) {
  const std::vector<StructSpec> structs = {{"cell", {{"id", "int", 1}, {"weight", "float", 2}}}};
  struct Cell {
    int id;
    float weight[2];
  };
  const auto fields = fields_of("cell", structs, bytes<Cell>({{1, {2, 3}}, {4, {5, 6}}}));
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].bytes, bytes<int>({1, 4}));
  EXPECT_EQ(fields[1].bytes, bytes<float>({2, 3, 5, 6}));
}

TEST(Outputs, FlatOutputsTellLittle) {
  EXPECT_TRUE(is_flat("float", bytes<float>({1, 1, 1})));
  EXPECT_FALSE(is_flat("float", bytes<float>({1, 1, 2})));
}

}  // namespace
}  // namespace hone::judge
