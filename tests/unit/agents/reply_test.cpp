#include "agents/reply.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/text.hpp"
#include "round.hpp"
#include "rules/all_rules.hpp"

namespace hone::agents {
namespace {

const std::string kernel =
    "__kernel void matmul(__global const float *a, __global float *c, int n) { c[TI] = a[0]; }\n";
const std::string manifest =
    "name = \"tiles\"\nsource = \"kernel.cl\"\n[[parameter]]\nname = \"TI\"\nvalues = [1, 2]\n"
    "[[launch]]\nkernel = \"matmul\"\nglobal = [\"launch.global[0] // TI\", \"launch.global[1]\"]\n";

std::string block(const std::string& info, const std::string& text) { return "```" + info + "\n" + text + "```\n"; }

std::string error_of(const std::string& reply) {
  auto templates = templates_in(reply, test::matmul_round().mep, "m");
  return templates ? "no error" : templates.error().text();
}

std::vector<Template> read(const std::string& reply) {
  auto templates = templates_in(reply, test::matmul_round().mep, "m");
  EXPECT_TRUE(templates) << templates.error().text();
  return templates ? *templates : std::vector<Template>{};
}

TEST(Reply, IsReadFromTwoBlocksInEitherOrderAmongProse) {
  for (const auto& reply : {"Sure!\n\n" + block("opencl", kernel) + "and\n" + block("toml", manifest) + "Enjoy.",
                            block("toml", manifest) + block("c", kernel)}) {
    const auto templates = read(reply);
    ASSERT_EQ(templates.size(), 1u);
    EXPECT_EQ(templates[0].name, "tiles");
    EXPECT_EQ(templates[0].source, kernel);
    EXPECT_EQ(templates[0].space.parameters.at(0).values.size(), 2u);
    EXPECT_EQ(templates[0].launches.at(0).global.at(0).print(), "launch.global[0] // TI");
  }
}

TEST(Reply, MayUseCrLfTildesLongFencesAndIndentation) {
  const auto templates = read(
      replace_all("~~~~ OpenCL kernel.cl\n" + kernel + "~~~~\n  ````TOML\n" + manifest + "  ````\n", "\n", "\r\n"));
  ASSERT_EQ(templates.size(), 1u);
  EXPECT_EQ(templates[0].source, kernel);
}

TEST(Reply, MayForgetToCloseItsLastFence) {
  EXPECT_EQ(read(block("opencl", kernel) + "```toml\n" + manifest).size(), 1u);
}

TEST(Reply, MayBeASourceAloneWithoutParameters) {
  const auto templates = read(block("", kernel));
  ASSERT_EQ(templates.size(), 1u);
  EXPECT_EQ(templates[0].name, "m");
  EXPECT_TRUE(templates[0].space.parameters.empty());
  EXPECT_EQ(read(kernel)[0].source, kernel);
}

TEST(Reply, MayForgetToNameItsSource) {
  EXPECT_EQ(read(block("opencl", kernel) + block("toml", "[[parameter]]\nname = \"TI\"\nvalues = [4]\n")).at(0).source,
            kernel);
}

TEST(Reply, MayBeAScheduleInTomlOrInLines) {
  const std::string parameter = "[[parameter]]\nname = \"VX\"\nvalues = [4, 8]\n";
  EXPECT_EQ(read(block("toml", "schedule = [\"lanes 0 VX\"]\n" + parameter)).at(0).schedule,
            (Schedule{{"lanes", {"0", "VX"}}}));
  EXPECT_EQ(read(block("schedule", "lanes 0 VX\nmerge 1 2\n") + block("toml", parameter)).at(0).schedule,
            (Schedule{{"lanes", {"0", "VX"}}, {"merge", {"1", "2"}}}));
}

TEST(Reply, WithAStepNoRuleHasIsSentBackWithTheRules) {
  const auto templates =
      templates_in(block("toml", "schedule = [\"lane 0 4\"]\n"), test::matmul_round().mep, "m", rules::rule_forms());
  ASSERT_FALSE(templates);
  EXPECT_EQ(templates.error().code(), "E-REPLY");
  EXPECT_NE(templates.error().message().find("did you mean lanes?; the rules are: "), std::string::npos)
      << templates.error().message();
}

TEST(Reply, MayHoldSeveralTemplates) {
  const auto templates = read(block("opencl", kernel) + block("toml", manifest) + block("opencl", kernel + "//\n") +
                              block("toml", replace_all(manifest, "tiles", "more")));
  ASSERT_EQ(templates.size(), 2u);
  EXPECT_EQ(templates[1].name, "more");
}

TEST(Reply, LeavesOutWhatTheModelThought) {
  EXPECT_EQ(read("<think>\n" + block("opencl", "__kernel void wrong() {}\n") + "</think>\n" + block("opencl", kernel))
                .at(0)
                .source,
            kernel);
}

TEST(Reply, SaysPreciselyWhatIsMissing) {
  EXPECT_EQ(error_of("I cannot help with that."),
            "E-REPLY  there is no fenced block with a kernel, a manifest or a schedule in it");
  EXPECT_EQ(error_of(block("toml", manifest)),
            "E-REPLY  the manifest names a source, but there is no fenced block with the kernel");
  EXPECT_EQ(error_of(block("opencl", "__kernel void other() {}\n")),
            "E-REPLY  the source does not define the kernel `matmul`");
  EXPECT_EQ(
      error_of(block("opencl", kernel) + block("toml", replace_all(manifest, "kernel = \"matmul\"", "kernel = \"x\""))),
      "E-REPLY  [[launch]] names `x`, which is no kernel here");
  EXPECT_EQ(error_of(block("opencl", kernel) + block("toml", replace_all(manifest, "values", "valeus"))),
            "E-REPLY  m/template.toml:3: [[parameter]] needs the key 'values'");
  EXPECT_EQ(error_of(block("opencl", kernel) + block("toml", "source = \"kernel.cl\"\nname = \n")).substr(0, 28),
            "E-REPLY  m/template.toml:2: ");
}

TEST(Reply, OfAnyShapeIsReadOrRefusedButNeverBreaks) {
  std::mt19937 random(5);
  const std::string whole = "Prose\n" + block("opencl", kernel) + block("toml", manifest) + "<think>x</think>" +
                            block("json", "{\"follow\": [1]}");
  const std::string noise =
      "`~[]{}=\"'\n\r\\#\0x\xff"
      "9";
  for (int i = 0; i < 3000; ++i) {
    std::string reply = whole;
    for (unsigned edits = 1 + random() % 6; edits > 0; --edits) {
      const std::size_t at = random() % reply.size();
      if (random() % 2 == 0)
        reply.erase(at, random() % 40);
      else
        reply.insert(at, random() % 3 == 0 ? whole.substr(random() % whole.size(), 30)
                                           : std::string(1 + random() % 4, noise[random() % noise.size()]));
      if (reply.empty()) reply = "`";
    }
    const auto mep = test::matmul_round().mep;
    auto templates = templates_in(reply, mep, "m");
    if (templates) {
      for (const auto& value : *templates) ASSERT_NE(value.schedule.empty(), value.source.empty()) << reply;
    } else {
      ASSERT_EQ(templates.error().code(), "E-REPLY");
    }
    (void)plan_in(reply, 2);
  }
}

TEST(Plan, IsAListOfNumbersInAnyProse) {
  EXPECT_EQ(*plan_in("Well:\n" + block("json", "{\"follow\": [2, 1, 2]}\n"), 2), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(*plan_in("{\"follow\": []}", 2), std::vector<std::size_t>{});
  EXPECT_EQ(plan_in("{\"follow\": [3]}", 2).error().message(), "there is no suggestion 3");
  EXPECT_EQ(plan_in("all of them", 2).error().message(), "there is no JSON object with `follow` in it");
}

}  // namespace
}  // namespace hone::agents
