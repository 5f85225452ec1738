// What the documents and the rules' own files say, held against the table.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/text.hpp"
#include "rules/all_rules.hpp"

namespace hone::rules {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(std::string(HONE_SOURCE_DIR) + "/" + path).rdbuf();
  return out.str();
}

std::string table_of_rules() {
  std::string out = "| step | what it does |\n|---|---|\n";
  for (const auto& form : rule_forms()) out += "| `" + usage_of(form) + "` | " + std::string(form.meaning) + " |\n";
  return out;
}

TEST(Documents, ListTheRulesAsTheTableDoes) {
  const std::string marker = "<!-- rules -->\n", path = "docs/schedules.md";
  auto text = contents(path);
  const auto begin = text.find(marker) + marker.size();
  const auto end = text.find("\nEach rule is one file", begin);
  ASSERT_LE(begin, end);
  if (std::getenv("HONE_UPDATE_GOLDENS") != nullptr) {
    text.replace(begin, end - begin, table_of_rules());
    std::ofstream(std::string(HONE_SOURCE_DIR) + "/" + path) << text;
    return;
  }
  EXPECT_EQ(text.substr(begin, end - begin), table_of_rules()) << "to accept: HONE_UPDATE_GOLDENS=1 ctest -R '^rules$'";
}

TEST(Documents, ShowAKernelBeforeAndAfterInTheFileOfEachRule) {
  for (const auto& form : rule_forms()) {
    const auto text = contents("src/rules/" + std::string(form.word) + ".cpp");
    const auto opening = text.substr(0, text.find("#include"));
    EXPECT_NE(opening.find(form.word), std::string::npos) << form.word << ".cpp does not open with its rule";
    EXPECT_NE(opening.find("->"), std::string::npos) << form.word << ".cpp shows no before and after";
  }
}

TEST(Documents, NameEveryErrorAScheduleCanEndIn) {
  for (const std::string code : {"E-STEP", "E-ORDER", "E-DECLINED"})
    EXPECT_NE(contents("docs/schedules.md").find("| `" + code + "` |"), std::string::npos) << code;
}

}  // namespace
}  // namespace hone::rules
