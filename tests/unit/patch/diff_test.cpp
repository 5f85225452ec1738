#include "patch/diff.hpp"

#include <gtest/gtest.h>

#include <random>

#include "application.hpp"

namespace hone::patch {
namespace {

std::size_t changed_lines(const std::string& before, const std::string& after) {
  std::size_t count = 0;
  for (const auto& change : line_changes(lines_of(before), lines_of(after)))
    count += change.old_end - change.old_begin + change.new_end - change.new_begin;
  return count;
}

/// The textbook table, as a second opinion on the shortest edit.
std::size_t shortest(const std::string& before, const std::string& after) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      common[i][j] = a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1 : std::max(common[i - 1][j], common[i][j - 1]);
  return a.size() + b.size() - 2 * common[a.size()][b.size()];
}

std::string random_text(std::mt19937& random) {
  std::string text;
  for (unsigned i = random() % 30; i > 0; --i) text += std::string(1, static_cast<char>('a' + random() % 5)) + "\n";
  if (!text.empty() && random() % 3 == 0) text.pop_back();
  return text;
}

TEST(Diff, OfEqualTextsIsEmpty) { EXPECT_EQ(unified_diff("f", "a\nb\n", "a\nb\n"), ""); }

TEST(Diff, ShowsThreeLinesOfContextAndCountsFromOne) {
  EXPECT_EQ(unified_diff("f.c", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n6\n7\n8\n"),
            "--- a/f.c\n+++ b/f.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(Diff, SaysWhenTheLastLineHasNoNewline) {
  EXPECT_EQ(unified_diff("f", "a", "a\n"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(Diff, MarksAFileThatIsNew) {
  EXPECT_EQ(unified_diff(Files{}, Files{{"f", "a\n"}}), "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
}

TEST(Diff, IsAsShortAsTheTextbookTableSays) {
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const std::string before = random_text(random);
    const std::string after = random_text(random);
    ASSERT_EQ(changed_lines(before, after), shortest(before, after)) << before << "---\n" << after;
  }
}

TEST(Diff, IsTakenByPatchAndByGit) {
  std::mt19937 random(11);
  for (int i = 0; i < 12; ++i) {
    const Files before = {{"a b.txt", random_text(random) + "end\n"}, {"c.txt", random_text(random) + "end"}};
    const Files after = {{"a b.txt", random_text(random) + "end\n"}, {"c.txt", random_text(random) + "end"}};
    const std::string diff = unified_diff(before, after);
    if (diff.empty()) continue;
    EXPECT_EQ(test::after_command(before, diff, "patch -p1 -s < ../change.diff"), after) << diff;
    EXPECT_EQ(test::after_command(before, diff, "git apply ../change.diff"), after) << diff;
  }
}

}  // namespace
}  // namespace hone::patch
