#include "inputs/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "base/hash.hpp"
#include "inputs/contents.hpp"
#include "inputs/half.hpp"

namespace hone::inputs {
namespace {

template <class T>
std::vector<T> made(const std::string& text, const std::string& type, std::size_t count, std::uint64_t seed = 1,
                    std::uint64_t first = 0) {
  std::vector<T> values(count);
  fill(*parse_generator(text), *element_type(type), seed, first,
       {reinterpret_cast<std::uint8_t*>(values.data()), count * sizeof(T)});
  return values;
}

TEST(Contents, LargeOnesAreTheSameHoweverManyThreadsMakeThem) {
  const std::size_t count = (std::size_t{3} << 20U) + 5;  // of four bytes: made in several parts where there are cores
  const auto parts = contents_of(BufferData{"b", "float", count, "uniform(-1,1)", 9, false, {}});
  const auto whole = made<float>("uniform(-1,1)", "float", count, 9);
  ASSERT_EQ(parts->size(), count * sizeof(float));
  EXPECT_EQ(std::memcmp(parts->data(), whole.data(), parts->size()), 0);
}

TEST(Generator, RaggedRowsBeginInOrderAndSomeAreEmptyAndSomeAreLong) {
  constexpr std::size_t kRows = 400, kMean = 8;
  const auto begins = made<int>("offsets(3200,400)", "int", kRows + 1);
  EXPECT_EQ(begins.front(), 0);
  EXPECT_EQ(begins.back(), 3200);
  std::size_t empty = 0, longest = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    ASSERT_LE(begins[r], begins[r + 1]);
    const auto length = static_cast<std::size_t>(begins[r + 1] - begins[r]);
    empty += length == 0 ? 1 : 0;
    longest = std::max(longest, length);
  }
  EXPECT_GE(empty, kRows / 20);
  EXPECT_GT(longest, 3 * kMean);
}

TEST(Generator, AnyRangeAloneIsThatRangeOfTheWhole) {
  for (const auto* text : {"uniform(-1,1)", "ramp(2,3)", "index(10)", "permutation(64)", "spd(8)", "const(4)", "zero",
                           "uniform_int(-5,5)"}) {
    const auto whole = made<float>(text, "float", 64, 9);
    const auto part = made<float>(text, "float", 20, 9, 30);
    EXPECT_EQ(std::memcmp(whole.data() + 30, part.data(), part.size() * sizeof(float)), 0) << text;
  }
}

TEST(Generator, BytesAreTheSameOnEveryMachine) {
  const auto hash = [](const auto& values) {
    return content_hash({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
  };
  EXPECT_EQ(hash(made<float>("uniform(-1,1)", "float", 1000, 42)), "baee7f69d110dfd56097c017405f6d17");
  EXPECT_EQ(hash(made<std::int64_t>("uniform(-1000,1000)", "long", 1000, 42)), "50dd5f358c436ba29976a4708050f2f0");
}

TEST(Generator, SeedsGiveDifferentContents) {
  EXPECT_NE(made<float>("uniform(0,1)", "float", 8, 1), made<float>("uniform(0,1)", "float", 8, 2));
}

TEST(Generator, UniformStaysInItsRangeAndFillsIt) {
  double low = 1e9, high = -1e9, sum = 0;
  const auto values = made<float>("uniform(-2,3)", "float", 20000);
  for (const float value : values) {
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
    sum += value;
  }
  EXPECT_GE(low, -2);
  EXPECT_LE(high, 3);
  EXPECT_LT(low, -1.99);
  EXPECT_GT(high, 2.99);
  EXPECT_NEAR(sum / 20000, 0.5, 0.05);
}

TEST(Generator, WholeNumbersIncludeBothEnds) {
  const auto values = made<int>("uniform(-1,1)", "int", 1000);
  EXPECT_EQ(std::set<int>(values.begin(), values.end()), (std::set<int>{-1, 0, 1}));
}

TEST(Generator, APermutationHoldsEachNumberOnce) {
  for (const std::size_t n : {1U, 2U, 7U, 100U, 1000U}) {
    const auto values = made<int>("permutation(" + std::to_string(n) + ")", "int", n);
    const std::set<int> seen(values.begin(), values.end());
    EXPECT_EQ(seen.size(), n);
    EXPECT_EQ(*seen.rbegin(), static_cast<int>(n) - 1);
  }
}

TEST(Generator, SpdIsSymmetricAndDominant) {
  const auto a = made<double>("spd(6)", "double", 36);
  for (std::size_t i = 0; i < 6; ++i) {
    double others = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(a[i * 6 + j], a[j * 6 + i]);
      if (i != j) others += std::fabs(a[i * 6 + j]);
    }
    EXPECT_GT(a[i * 6 + i], others);
  }
}

TEST(Generator, ParseOfPrintIsTheSameAndNonsenseIsNamed) {
  for (const auto* text : {"zero", "const(2.5)", "ramp", "ramp(1,2)", "uniform(-1,1)", "uniform_int(0,9)", "index(7)",
                           "permutation(8)", "spd(4)"})
    EXPECT_EQ(print(*parse_generator(text)), text);
  for (const auto* text : {"unifrm(0,1)", "uniform(1)", "uniform(1,0)", "index(0)", "index(1.5)", "const(x)", "ramp(",
                           "", "zero(1)", "uniform(0,inf)"})
    EXPECT_FALSE(parse_generator(text)) << text;
  EXPECT_NE(parse_generator("unifrm(0,1)").error().message().find("uniform"), std::string::npos);
}

TEST(Half, EveryNumberComesBackAndRoundsToEven) {
  for (unsigned bits = 0; bits < 0x7C00; ++bits) EXPECT_EQ(half_from(half_to(static_cast<std::uint16_t>(bits))), bits);
  EXPECT_EQ(half_from(1.0 + 0x1p-11), half_from(1.0));
  EXPECT_EQ(half_from(1.0 + 3 * 0x1p-11), half_from(1.0 + 0x1p-9));
  EXPECT_EQ(half_from(1e6), 0x7C00);
  EXPECT_EQ(half_from(-2.0), 0xC000);
}

TEST(Contents, NormalisedImagesHoldWhatTheKernelWillRead) {
  const auto bytes = contents_of(ImageData{"i", "RGBA", "unorm_int8", 2, 1, "const(1)", 1});
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, std::vector<std::uint8_t>(8, 255));
}

TEST(Contents, DoublesMadeAsFloatsAreThoseFloats) {
  BufferData narrow{"b", "float2", 100, "uniform(-1,1)", 7, false, {}};
  BufferData wide = narrow;
  wide.type = "double2";
  wide.made_as = "float2";
  const auto floats = contents_of(narrow), doubles = contents_of(wide);
  ASSERT_TRUE(floats && doubles);
  ASSERT_EQ(doubles->size(), 2 * floats->size());
  for (std::size_t i = 0; i < 200; ++i) {
    float from = 0;
    double to = 0;
    std::memcpy(&from, floats->data() + i * sizeof from, sizeof from);
    std::memcpy(&to, doubles->data() + i * sizeof to, sizeof to);
    EXPECT_EQ(to, static_cast<double>(from)) << i;
  }
  wide.made_as = "int";
  EXPECT_FALSE(contents_of(wide));
}

TEST(Contents, SizesThatOverflowAreRefusedNotAllocated) {
  EXPECT_FALSE(contents_of(BufferData{"b", "float", ~std::size_t{0} / 2, "zero", 1, false, {}}));
  EXPECT_FALSE(contents_of(ImageData{"i", "RGBA", "float", ~std::size_t{0}, 3, "zero", 1}));
  EXPECT_FALSE(contents_of(BufferData{"b", "float", 4, "zero", 1, false, {1, 2}})) << "contents of the wrong size";
}

}  // namespace
}  // namespace hone::inputs
