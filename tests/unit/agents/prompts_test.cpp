#include "agents/prompts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "agents/prompt_text.hpp"
#include "round.hpp"
#include "rules/all_rules.hpp"

namespace hone::agents {
namespace {

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(HONE_SOURCE_DIR) + "/tests/golden/prompts/" + name;
  if (std::getenv("HONE_UPDATE_GOLDENS") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ostringstream expected;
  expected << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(actual, expected.str()) << "to accept: HONE_UPDATE_GOLDENS=1 ctest -R '^agents$'";
}

Fault fault() {
  Fault out;
  out.proposed.name = "tiles";
  out.proposed.source = "__kernel void matmul() { TI }\n";
  out.proposed.space.parameters = {{"TI", {std::int64_t{1}, std::int64_t{2}}, std::int64_t{1}}};
  out.configuration = {{"TI", std::int64_t{2}}};
  out.source = "__kernel void matmul() { 2 }\n";
  out.verdict = BuildFailed{"error: expected ';' after expression"};
  return out;
}

TEST(Prompts, AskForACandidateWithAllThatIsKnown) {
  expect_golden("generate.md", generation_prompt(test::matmul_round(), 2, {"tiles"}, rules::rule_forms()));
}

TEST(Prompts, AskForARepairWithCodeAndDiagnostics) {
  expect_golden("repair.md", repair_prompt(test::matmul_round(), fault()));
}

TEST(Prompts, AskForAPlan) { expect_golden("plan.md", planning_prompt(test::matmul_round())); }

TEST(Prompts, ShowTheIncumbentOnceItIsNotTheOriginal) {
  auto context = test::matmul_round();
  context.incumbent = {{Language::OpenCL, "the faster source", {}, {}},
                       "lanes",
                       "rules",
                       {{"lanes", {"0", "VX"}}},
                       {{"VX", std::int64_t{16}}},
                       9.81};
  const std::string prompt = generation_prompt(context, 1, {}, {});
  EXPECT_NE(prompt.find("## The fastest so far (9.81x, lanes)\n\nSchedule: lanes 0 VX\n\nParameters: "
                        "VX=16\n\n```opencl\nthe faster source\n```"),
            std::string::npos)
      << prompt;
}

TEST(Prompts, CutACompilersLongLogInTheMiddle) {
  auto broken = fault();
  broken.verdict = BuildFailed{"first error" + std::string(100000, '.') + "2 errors generated"};
  const std::string prompt = repair_prompt(test::matmul_round(), broken);
  EXPECT_LT(prompt.size(), 10000u);
  EXPECT_NE(prompt.find("first error"), std::string::npos);
  EXPECT_NE(prompt.find("2 errors generated"), std::string::npos);
}

TEST(Prompts, NeverShowAHeldOutWorkload) {
  auto context = test::matmul_round();
  context.mep.workloads.push_back({"secret", Role::HeldOut, {{"n", std::int64_t{777}}}, {}});
  EXPECT_EQ(generation_prompt(context, 1, {}, {}).find("777"), std::string::npos);
  EXPECT_EQ(repair_prompt(context, fault()).find("777"), std::string::npos);
}

TEST(PromptText, FillsInOnceAndNotInsideWhatWasFilledIn) {
  EXPECT_EQ(fill_in("a {{x}} b {{y}}", {{"x", "{{y}}"}, {"y", "2"}}), "a {{y}} b 2");
}

TEST(PromptText, FencesWhatContainsFences) { EXPECT_EQ(fenced("```\nx", "c"), "````c\n```\nx\n````"); }

}  // namespace
}  // namespace hone::agents
