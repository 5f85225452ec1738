#include "report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "rules/all_rules.hpp"

namespace hone::report {
namespace {

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(HONE_SOURCE_DIR) + "/tests/golden/report/" + name;
  if (std::getenv("HONE_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ostringstream expected;
  expected << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(actual, expected.str()) << "to accept: HONE_UPDATE_GOLDENS=1 ctest -R '^report$'";
}

Run won() {
  Run run;
  run.kernel = "matmul";
  run.application = "examples/matmul";
  run.device = "A small device";
  run.winner.template_name = "lanes+merge";
  run.winner.proposer = "rules";
  run.winner.schedule = schedule_from_lines({"lanes 0 VX", "merge row TI", "unroll k UK", "workgroup WG_X 8"});
  run.rules = rules::rule_forms();
  run.winner.configuration = {
      {"VX", std::int64_t{16}}, {"TI", std::int64_t{4}}, {"UK", std::int64_t{1}}, {"WG_X", std::int64_t{1}}};
  run.ended = "60 seconds";
  run.least = {{"tune", Nanoseconds(2.855e6)}};
  run.original = {{"tune", {{Nanoseconds(122e6)}, {Nanoseconds(122e6)}}}};
  run.spent.add(Purpose::Screening, Activity::Building, Seconds(20));
  run.spent.add(Purpose::Screening, Activity::Timing, Seconds(30));
  run.spent.add(Purpose::Confirming, Activity::Timing, Seconds(10.5));
  run.spent.add(Purpose::Proposing, Activity::Own, Seconds(0.06));
  run.spent.add(Purpose::Preparing, Activity::Starting, Seconds(0.07));
  auto& proof = run.proof.emplace();
  proof.verdict = Timed{};
  proof.comparison = {Comparison::Call::Faster, 122.3 / 5.71,       20.9, 21.9, 0.95, 30,
                      Nanoseconds(122.3e6),     Nanoseconds(5.71e6)};
  proof.workloads = {{"tune", Role::Tune, proof.comparison, {}, {}},
                     {"odd",
                      Role::Awkward,
                      {Comparison::Call::Faster, 950. / 61, 15, 16.1, 0.95, 30, Nanoseconds(950e3), Nanoseconds(61e3)},
                      {},
                      {}}};
  proof.checks = {"outputs agree on 3 workloads with 2 seeds each", "no access out of bounds, no race"};
  proof.noise_floor = 0.012;
  run.patch_file = "matmul.patch";
  run.diff = "--- a/matmul.cl\n+++ b/matmul.cl\n@@ -1 +1 @@\n-a\n+b\n";
  run.validation =
      ValidationLine{"make check", true, true,
                     "the application built the shipped matmul and launched it 4 times as claimed (64x64)", 4};
  run.attempts = {{1, "rules", "lanes", "", {{"lanes", {"0", "VX"}}}, {}, "faster", "", 12.1},
                  {1, "model:m", "odd|one", "", {}, {}, "WrongOutput", "differs\nat the edge", 0}};
  run.evaluations = 180;
  run.failures = 12;
  run.rounds = 2;
  run.took = Seconds(61);
  run.fidelity = {'B', 46, 52, {}};
  return run;
}

Run lost() {
  Run run;
  run.kernel = "dot_partial";
  run.device = "A small device";
  run.reasons = {"lanes: the kernel has barriers", "merge: the kernel has barriers"};
  run.rounds = 1;
  return run;
}

TEST(Report, SummaryOfAWinCanBePasted) { expect_golden("won.txt", summary(won())); }
TEST(Report, SummaryOfALossGivesEveryReason) { expect_golden("lost.txt", summary(lost())); }
TEST(Report, MarkdownHasEverything) { expect_golden("won.md", markdown(won())); }
TEST(Report, MailHasTheClaimAboveTheDiff) {
  auto run = won();
  run.launch_tiers = {{"matmul", "sizes"}};
  run.sizes_tried = {"n from 33 to 1024", "k 64"};
  expect_golden("won.patch", mail(run));
}

TEST(Report, DataHasTheSame) { expect_golden("won.json", data(won()).dump(2) + "\n"); }

TEST(Report, WhoeverDividesTheTimesShownGetsTheRatioShown) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    Comparison comparison;
    comparison.challenger = Nanoseconds(std::pow(10.0, 1 + static_cast<double>(random() % 80000) / 1e4));
    comparison.ratio = std::pow(10.0, static_cast<double>(random() % 30000) / 1e4 - 0.5);
    comparison.incumbent = comparison.challenger * comparison.ratio;
    const auto text = comparison_text(comparison);
    const auto read = [](const std::string& time) {
      static const std::map<std::string, double> units = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
      std::size_t end = 0;
      const double value = std::stod(time, &end);
      return value * units.at(time.substr(end + 1));
    };
    const auto arrow = text.find(" -> "), comma = text.find(", ");
    const double quotient = read(text.substr(0, arrow)) / read(text.substr(arrow + 4, comma - arrow - 4));
    const auto ratio = text.substr(comma + 2, text.find('x', comma) - comma - 2);
    const auto decimals = ratio.find('.') == std::string::npos ? 0 : ratio.size() - ratio.find('.') - 1;
    EXPECT_NEAR(std::stod(ratio), quotient, 0.5 * std::pow(0.1, decimals) * (1 + 1e-9)) << text;
  }
}

TEST(Report, ABusyMachineGivesNoFigure) {
  Comparison busy;
  busy.call = Comparison::Call::Busy;
  busy.ratio = 79.26;
  busy.incumbent = Nanoseconds(201e6);
  busy.challenger = Nanoseconds(3e6);
  EXPECT_EQ(comparison_text(busy), "no figure: others used the machine");
  EXPECT_FALSE(as_json(busy).contains("ratio"));
  EXPECT_FALSE(as_json(busy).contains("before_ns"));
}

TEST(Report, DataOfALossHasNoWinner) {
  EXPECT_TRUE(data(lost())["winner"].is_null());
  EXPECT_TRUE(data(lost())["comparison"].is_null());
  EXPECT_EQ(data(lost())["faster"], false);
}

TEST(Times, AreWrittenWithAUnitThatFits) {
  EXPECT_EQ(time_text(Nanoseconds(12)), "12.00 ns");
  EXPECT_EQ(time_text(Nanoseconds(12345)), "12.35 us");
  EXPECT_EQ(time_text(Nanoseconds(2.5e9)), "2.500 s");
}

}  // namespace
}  // namespace hone::report
