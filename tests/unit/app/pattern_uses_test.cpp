#include "app/pattern_uses.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hone::app {
namespace {

Attempt attempt(const std::string& name, const std::string& fate) {
  Attempt out;
  out.template_name = name;
  out.fate = fate;
  return out;
}

TEST(PatternUses, AreHitsWhereWhatFollowsThemOrItsRepairIsFaster) {
  const auto uses = with_citations({{"old", {1, 1}}}, {{"a", "old"}, {"b", "new"}, {"c", "new"}},
                                   {attempt("a", "BuildFailed"), attempt("a+repaired", "faster"),
                                    attempt("b", "not faster"), attempt("cc", "faster")});
  EXPECT_EQ(uses.at("old"), (patterns::PatternUse{2, 2}));
  EXPECT_EQ(uses.at("new"), (patterns::PatternUse{2, 0}));
}

TEST(PatternUses, AreReadAsWrittenAndWhatIsNoneIsLeftOut) {
  const patterns::PatternUses uses = {{"a", {3, 1}}};
  EXPECT_EQ(pattern_uses_from(to_json(uses)), uses);
  EXPECT_TRUE(pattern_uses_from(nlohmann::json::parse(R"({"a": 7, "b": {"cited": -1, "hits": "x"}})")).empty());
  EXPECT_TRUE(pattern_uses_from(nlohmann::json::array()).empty());
}

}  // namespace
}  // namespace hone::app
