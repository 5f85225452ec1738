// Which sizes a candidate is tried at because its text names them.

#include "judge/named_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::judge {
namespace {

using Sizes = std::vector<std::int64_t>;

TEST(NamedSizes, AreTheNumbersOfTheTextAndTheirNeighbours) {
  EXPECT_EQ(named_sizes("if (n > 600) return;", ""), (Sizes{599, 600, 601}));
  EXPECT_EQ(named_sizes("float row[0x40u];", ""), (Sizes{63, 64, 65}));
}

TEST(NamedSizes, AreMadeOfShiftsAndProducts) {
  EXPECT_EQ(named_sizes("n < 1 << 20", ""), (Sizes{19, 20, 21, 1048575, 1048576, 1048577}));
  EXPECT_EQ(named_sizes("a[3 * 100]", ""), (Sizes{99, 100, 101, 299, 300, 301}));
}

TEST(NamedSizes, AreNoneThatTheOriginalNamesNorAnyOfRealsOrComments) {
  EXPECT_EQ(named_sizes("x[16] = 2.5f + 1e3; // 700", "y[16]"), Sizes());
}

TEST(NamedSizes, AreWhatANarrowTypeHolds) {
  EXPECT_EQ(named_sizes("for (short k = 0; k < n; k++)", ""), (Sizes{32767, 32768, 32769}));
}

TEST(NamedSizes, StandInLaunchesAndOptionsToo) {
  const Variant variant{Language::OpenCL, "", {{"k", {Expression::parse("min(n, 304)").value()}, {}}}, {"-DROWS=700"}};
  EXPECT_EQ(named_sizes(text_with_sizes(variant), ""), (Sizes{303, 304, 305, 699, 700, 701}));
}

TEST(NamedSizes, BehindArraysThatTheOriginalDoesNotHave) {
  EXPECT_EQ(behind_arrays("float row[320]; local int t[17]; x[i]", "local int u[17];"), Sizes{321});
}

TEST(NamedSizes, AreFewAndTheLargestOfMany) {
  std::string text;
  for (int i = 10; i < 900; i += 10) text += std::to_string(i) + " ";
  const auto sizes = named_sizes(text, "", 9);
  EXPECT_EQ(sizes.size(), 9U);
  EXPECT_EQ(sizes.back(), 891);
  EXPECT_GT(sizes.front(), 800);
}

}  // namespace
}  // namespace hone::judge
