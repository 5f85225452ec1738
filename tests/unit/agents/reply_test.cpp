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

ReplyTask task(const RuleForms& rules = {}) {
  static const auto round = test::matmul_round();
  static RuleForms kept;
  kept = rules;
  return {round.mep, kept, &round.device};
}

std::string error_of(const std::string& reply) {
  auto templates = templates_in(reply, task(), "m");
  return templates ? "no error" : templates.error().text();
}

std::vector<Template> read(const std::string& reply) {
  auto templates = templates_in(reply, task(), "m");
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
  const auto templates = templates_in(block("toml", "schedule = [\"lane 0 4\"]\n"), task(rules::rule_forms()), "m");
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
                            block("json", "{\"directions\": [{\"action\": \"x\"}]}");
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
    auto templates = templates_in(reply, task(), "m");
    (void)nothing_more_in(reply);
    if (templates) {
      for (const auto& value : *templates) ASSERT_NE(value.schedule.empty(), value.source.empty()) << reply;
    } else {
      ASSERT_EQ(templates.error().code(), "E-REPLY");
    }
    (void)plan_in(reply, 2);
  }
}

TEST(Reply, SaysWhichNameOfItsManifestIsNone) {
  EXPECT_EQ(error_of(block("opencl", kernel) + block("toml", replace_all(manifest, "// TI", "// TJ"))),
            "E-REPLY  [[launch]] global of `matmul` uses `TJ`, which is neither a [[parameter]] of this manifest nor a "
            "scalar of the workloads; did you mean TI?");
  EXPECT_NE(
      error_of(block("opencl", kernel) + block("toml", manifest + "[constraints]\nfits = \"TI <= device.warp\"\n"))
          .find("nor known of this device"),
      std::string::npos);
  EXPECT_EQ(read(block("opencl", kernel) +
                 block("toml", manifest + "[constraints]\nfits = \"TI * n <= device.max_work_group_size\"\n"))
                .size(),
            1u);
  const auto steps = templates_in(block("toml", "schedule = [\"lanes 0 VX\"]\n"), task(rules::rule_forms()), "m");
  EXPECT_EQ(steps.error().message(), "the step `lanes 0 VX` uses `VX`, which no [[parameter]] declares");
}

TEST(Reply, MaySayThatThereIsNothingMore) {
  EXPECT_EQ(nothing_more_in("I looked at it.\r\n\r\n**NOTHING MORE**: memory is the limit\r\n"), "memory is the limit");
  EXPECT_EQ(nothing_more_in("NOTHING MORE"), "no reason was given");
  EXPECT_FALSE(nothing_more_in("There is nothing more to say but this:\n" + block("opencl", kernel)));
  EXPECT_FALSE(nothing_more_in(block("opencl", kernel) + "NOTHING MORE: that is all")) << "a kernel is an answer";
}

TEST(ReplyForms, InThePromptAreThemselvesValidAnswers) {
  Mep scale;
  scale.name = "scale";
  scale.kernels = {{"scale", {}}};
  scale.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{100}}}, {}}};
  const auto round = test::matmul_round();
  for (const auto language : {Language::OpenCL, Language::Cuda, Language::Hip}) {
    scale.language = language;
    const auto source = templates_in(example_source_reply(language), {scale, rules::rule_forms(), &round.device}, "m");
    ASSERT_TRUE(source) << source.error().text();
    ASSERT_EQ(source->size(), 1u);
    const auto variant = instantiate_source(source->front(), default_configuration(source->front().space));
    ASSERT_TRUE(variant) << variant.error().text();
    EXPECT_EQ(variant->source.find("CHUNK"), std::string::npos) << variant->source;
    EXPECT_EQ(variant->launches.at(0).global.at(0).print(), "ceil_div(launch.global[0], 4)");
  }
  const auto schedule = templates_in(example_schedule_reply(), {scale, rules::rule_forms(), &round.device}, "m");
  ASSERT_TRUE(schedule) << schedule.error().text();
  EXPECT_EQ(schedule->at(0).schedule.size(), 2u);
}

TEST(Plan, IsAListOfDirectionsInAnyProse) {
  const auto plan = plan_in(
      "Well:\n" +
          block(
              "json",
              R"({"directions": [{"action": "a", "base": "tiles", "predicted_ms": 2}, {"action": "a"}, {"action": "b"}]})"
              "\n"),
      2);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 2u) << "the same one twice is one";
  EXPECT_EQ(plan->at(0).base, "tiles");
  EXPECT_EQ(plan->at(1).action, "b");
  EXPECT_EQ(plan_in("{\"directions\": []}", 2).error().message(), "`directions` is empty");
  EXPECT_EQ(plan_in("{\"directions\": [3]}", 2).error().message(),
            "each of `directions` needs an `action`, a sentence");
  EXPECT_EQ(plan_in("all of them", 2).error().message(), "there is no JSON object with `directions` in it");
}

}  // namespace
}  // namespace hone::agents
