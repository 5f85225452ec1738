#include "base/text.hpp"

#include <gtest/gtest.h>

namespace hone {
namespace {

TEST(Text, NearestFindsATypoAndRefusesAStranger) {
  const std::vector<std::string> known = {"extent", "fill", "name"};
  EXPECT_EQ(nearest("extend", known), "extent");
  EXPECT_EQ(nearest("zzzzzz", known), std::nullopt);
}

TEST(Text, SplitKeepsEmptyParts) { EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"})); }

TEST(Text, ReplaceAllDoesNotRescanWhatItWrote) { EXPECT_EQ(replace_all("aa", "a", "aa"), "aaaa"); }

TEST(Text, LineOfCountsFromOne) {
  EXPECT_EQ(line_of("a\nb", 0), 1U);
  EXPECT_EQ(line_of("a\nb", 2), 2U);
}

TEST(Text, IdentifiersDoNotStartWithADigit) {
  EXPECT_TRUE(is_identifier("_a1"));
  EXPECT_FALSE(is_identifier("1a"));
}

}  // namespace
}  // namespace hone
