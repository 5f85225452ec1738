// Lines of a schedule, read and explained by the table of rules.
#include <gtest/gtest.h>

#include "rules/all_rules.hpp"

namespace hone::rules {
namespace {

std::string refusal(const std::string& line) {
  const auto checked = check_step(step_from_text(line), rule_forms());
  return checked ? "" : checked.error().text();
}

TEST(Step, PrintsAsItWasRead) {
  for (const std::string line :
       {"lanes 0 VX", "merge 1 TI", "unroll k 4", "workgroup WG_X WG_Y", "registers", "keep", "kernel gemm"}) {
    EXPECT_EQ(refusal(line), "");
    EXPECT_EQ(hone::print(step_from_text(line)), line);
  }
}

TEST(Step, ReadsWhateverSpacesThereAre) { EXPECT_EQ(hone::print(step_from_text("  lanes \t j   VX ")), "lanes j VX"); }

TEST(Step, NamesTheRuleThatWasProbablyMeantAndAllThereAre) {
  const auto said = refusal("lane 0 4");
  EXPECT_EQ(said.substr(0, 8), "E-STEP  ");
  EXPECT_NE(said.find("did you mean lanes"), std::string::npos) << said;
  EXPECT_NE(said.find("workgroup X [Y] [Z]"), std::string::npos) << said;
}

TEST(Step, SaysHowAStepIsWrittenWhenPartsAreMissing) {
  for (const std::string line : {"lanes 0", "merge", "workgroup", "workgroup 1 2 3 4", "registers now"})
    EXPECT_NE(refusal(line).find("expected `"), std::string::npos) << line;
}

TEST(Step, RefusesACountThatIsNone) {
  EXPECT_NE(refusal("lanes 0 4.5").find("neither a parameter nor a count"), std::string::npos);
}

TEST(Schedule, LeavesOutEmptyLines) { EXPECT_EQ(schedule_from_lines({"lanes 0 4", "", "  "}).size(), 1U); }

TEST(Table, GivesEveryRuleAWordAMeaningAndAnApplication) {
  for (const auto* rule : all_rules()) {
    EXPECT_FALSE(rule->form.word.empty());
    EXPECT_FALSE(rule->form.meaning.empty()) << rule->form.word;
    EXPECT_NE(rule->apply, nullptr) << rule->form.word;
    EXPECT_EQ(find_rule(rule->form.word), rule) << "two rules called " << rule->form.word;
    for (const auto& argument : rule->form.takes)
      if (!rule->form.in_words.empty() && rule->form.in_words.find("{*}") == std::string_view::npos) {
        EXPECT_NE(rule->form.in_words.find("{" + std::string(argument.name) + "}"), std::string_view::npos)
            << rule->form.word << " does not say its " << argument.name;
      }
  }
}

TEST(Words, LeaveOutStepsThatDoNothingAndQuoteUnknownOnes) {
  const auto schedule =
      schedule_from_lines({"merge 1 T", "stage B TK", "fold", "registers", "lanes row 4", "workgroup 8 W"});
  EXPECT_EQ(in_words(schedule, {{"T", std::int64_t{1}}, {"W", std::int64_t{2}}}, rule_forms()),
            (std::vector<std::string>{
                "`stage B TK`", "`fold`", "elements that a loop updates in memory are held in registers",
                "4 neighbouring work-items of `row` work as one, on vectors", "work-groups of 8 x 2"}));
}

}  // namespace
}  // namespace hone::rules
