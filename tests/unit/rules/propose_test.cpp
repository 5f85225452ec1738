#include "rules/propose.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.hpp"
#include "lifted_kernel.hpp"
#include "rules/all_rules.hpp"

namespace hone::rules {
namespace {

DeviceInfo cpu() {
  DeviceInfo device;
  device.name = "cpu";
  device.kind = "cpu";
  device.facts = {{"float_lanes", std::int64_t{8}}, {"max_work_group_size", std::int64_t{1024}}};
  return device;
}

DeviceInfo gpu() {
  auto device = cpu();
  device.kind = "gpu";
  return device;
}

const std::string scale = R"(__kernel void scale(__global const float* a, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) o[i] = a[i] * 2.0f;
}
)";

TEST(Propose, PutsLanesOnTheContiguousDimension) {
  const auto found = propose(lift_kernel(scale), cpu());
  ASSERT_FALSE(found.templates.empty());
  EXPECT_EQ(print(found.templates[0].schedule[0]), "lanes 0 VX");
}

TEST(Propose, DefaultsCanAllBeReplayed) {
  const auto lifted = lift_kernel(scale);
  const auto found = propose(lifted, cpu());
  for (const auto& t : found.templates)
    EXPECT_TRUE(replay(lifted, t.schedule, default_configuration(t.space))) << t.name;
}

TEST(Propose, NamesEveryParameterOfItsSchedule) {
  const auto found = propose(lift_kernel(scale), cpu());
  for (const auto& t : found.templates)
    for (const auto& step : t.schedule) {
      const auto* form = find_form(rule_forms(), step.rule);
      ASSERT_NE(form, nullptr) << print(step);
      const auto configuration = default_configuration(t.space);
      for (std::size_t i = 0; i < step.arguments.size(); ++i)
        if (form->takes[i].kind == ArgumentKind::Count) {
          EXPECT_EQ(configuration.count(step.arguments[i]), 1U) << print(step);
        }
    }
}

TEST(Propose, TakesVectorWidthsFromTheDevice) {
  auto narrow = cpu();
  narrow.kind = "gpu";
  narrow.facts["float_lanes"] = std::int64_t{1};
  const auto found = propose(lift_kernel(scale), narrow);
  EXPECT_EQ(found.templates[0].space.parameters[0].name, "VX");
  EXPECT_EQ(hone::print(found.templates[0].space.parameters[0].values.back()), "4");
}

const std::string in_groups = R"(__kernel void last(__global const float* a, __global float* o, __local float* x) {
  x[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = x[get_local_size(0) - 1 - get_local_id(0)];
}
)";

TEST(Propose, FoldsGroupsOnAProcessorFirst) {
  const auto found = propose(lift_kernel(in_groups, {1, 16}), cpu());
  ASSERT_FALSE(found.templates.empty());
  EXPECT_EQ(print(found.templates[0].schedule.front()), "fold VX");
  EXPECT_EQ(hone::print(default_configuration(found.templates[0].space).at("VX")), "16");
  EXPECT_TRUE(found.templates[0].launches.empty());
}

TEST(Propose, FoldsNothingOnAGpu) {
  const auto found = propose(lift_kernel(in_groups, {1, 16}), gpu());
  for (const auto& t : found.templates) EXPECT_NE(t.name, "fold");
  EXPECT_TRUE(std::none_of(found.declined.begin(), found.declined.end(),
                           [](const std::string& why) { return has(why, "fold"); }));
}

TEST(Propose, SaysWhyARuleDoesNotApply) {
  const auto found = propose(
      lift_kernel(
          "__kernel void strided(__global float* a, int n) { int i = get_global_id(0); if (i < n) a[i * 7] = 0; }\n"),
      cpu());
  EXPECT_TRUE(std::any_of(found.declined.begin(), found.declined.end(),
                          [](const std::string& why) { return has(why, "no access moves to the next element"); }));
}

std::string tile_of(const std::string& text) {
  const auto found = propose(lift_kernel(text), cpu());
  const auto tile =
      std::find_if(found.templates.begin(), found.templates.end(), [](const Template& t) { return t.name == "tile"; });
  std::string out;
  for (const auto& step : tile == found.templates.end() ? Schedule{} : tile->schedule) out += print(step) + "; ";
  return out;
}

TEST(Propose, MakesATileOfADimensionAndAnIndependentLoop) {
  const auto triangle = tile_of(R"(__kernel void pairs(__global const float* a, __global float* o, int n, int m) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = i; j < n; j++) {
      float s = 0.0f;
      for (int k = 0; k < m; k++) s += a[k * n + i] * a[k * n + j];
      o[i * n + j] = s;
      o[j * n + i] = s;
    }
}
)");
  EXPECT_TRUE(has(triangle, "lanes j VX; merge 0 TI; merge j TJ;")) << triangle;
  const auto all =
      tile_of(R"(__kernel void table(__global const float* a, __global const float* b, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j < n; j++) {
      float s = 0.0f;
      for (int k = 0; k < n; k++) s += a[k * n + i] * b[j * n + k];
      o[j * n + i] = s;
    }
}
)");
  EXPECT_TRUE(has(all, "lanes 0 VX; merge 0 TJ; merge j TI;")) << all;
}

TEST(Propose, GivesAWorkItemManyColumnsWhereThereAreNoRows) {
  const auto most = [](const std::string& text, std::size_t dimensions) {
    const auto found = propose(lift_kernel(text, {dimensions}), cpu());
    for (const auto& p : found.templates.front().space.parameters)
      if (p.name == "TJ") return hone::print(p.values.back());
    return std::string();
  };
  EXPECT_EQ(most(R"(__kernel void columns(__global const float* a, __global float* o, int n) {
  int j = get_global_id(0);
  if (j < n) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += a[i * n + j];
    o[j] = s;
  }
}
)",
                 1),
            "16");
  EXPECT_EQ(most(R"(__kernel void product(__global const float* a, __global const float* b, __global float* o, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) {
    float s = 0.0f;
    for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
    o[i * n + j] = s;
  }
}
)",
                 2),
            "4");
}

/// The tile's steps and the first size of each of its parameters.
struct FirstOf {
  std::string steps;
  std::map<std::string, std::string> sizes;
};

FirstOf first_of(const LiftedKernel& lifted, const DeviceInfo& device) {
  const auto found = propose(lifted, device);
  FirstOf out;
  for (const auto& t : found.templates) {
    if (t.name != "tile") continue;
    for (const auto& step : t.schedule) out.steps += print(step) + "; ";
    for (const auto& p : t.space.parameters) out.sizes[p.name] = hone::print(p.default_value);
  }
  return out;
}

DeviceInfo wide_cpu() {
  auto device = cpu();
  device.facts["float_lanes"] = std::int64_t{16};
  device.facts["compute_units"] = std::int64_t{2};
  return device;
}

const std::string rows_by_columns =
    R"(__kernel void product(__global const float* a, __global const float* b, __global float* o, int n) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i < n && j < n) {
    float s = 0.0f;
    for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
    o[i * n + j] = s;
  }
}
)";

std::string with_second_transposed() { return replace_all(rows_by_columns, "b[k * n + j]", "b[j * n + k]"); }

TEST(Propose, StartsWithAsManySumsAsRegistersHold) {
  const auto wide = first_of(lift_kernel(rows_by_columns, {2}), wide_cpu()).sizes;
  EXPECT_EQ(wide.at("VX") + " " + wide.at("TI") + " " + wide.at("TJ"), "16 8 2");
  const auto narrow = first_of(lift_kernel(rows_by_columns, {2}), cpu()).sizes;
  EXPECT_EQ(narrow.at("VX") + " " + narrow.at("TI") + " " + narrow.at("TJ"), "16 4 1");
}

TEST(Propose, TakesWhatIsAddedUpOnVectorsWhereThatIsContiguous) {
  const auto rows = first_of(lift_kernel(with_second_transposed(), {2}), wide_cpu());
  EXPECT_TRUE(has(rows.steps, "lanes k VX; ")) << rows.steps;
  EXPECT_TRUE(has(rows.steps, "merge 0 T") && has(rows.steps, "merge 1 T")) << rows.steps;
  EXPECT_EQ(rows.sizes.at("TI") + " " + rows.sizes.at("TJ"), "4 4");
  const auto columns = first_of(lift_kernel(rows_by_columns, {2}), wide_cpu());
  EXPECT_TRUE(has(columns.steps, "lanes 0 VX; ")) << columns.steps;
}

TEST(Propose, LeavesNoCoreWithoutAGroup) {
  const std::string columns = R"(__kernel void columns(__global const float* a, __global float* o, int n) {
  int j = get_global_id(0);
  if (j < n) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += a[i * n + j];
    o[j] = s;
  }
}
)";
  const auto few = first_of(lift_kernel(columns), wide_cpu()).sizes;  // 512 work-items
  EXPECT_EQ(few.at("TJ") + " " + few.at("WG_X"), "4 1");
  auto lifted = lift_kernel(columns);
  lifted.mep.workloads.front().scalars["n"] = std::int64_t{1 << 20};
  const auto many = first_of(lifted, wide_cpu()).sizes;
  EXPECT_EQ(many.at("TJ") + " " + many.at("WG_X"), "16 4");
}

TEST(Propose, GivesKernelsThatDifferParametersOfTheirOwn) {
  auto lifted = lift_kernel(rows_by_columns + replace_all(with_second_transposed(), "void product", "void other"), {2});
  lifted.mep.kernels.push_back(lifted.mep.kernels.front());
  lifted.mep.kernels.back().name = "other";
  auto launch = std::get<Launch>(lifted.mep.workloads.front().launches.front());
  launch.kernel = "other";
  lifted.mep.workloads.front().launches.emplace_back(launch);
  const auto first = first_of(lifted, wide_cpu());
  EXPECT_TRUE(has(first.steps, "lanes 0 VX; ") && has(first.steps, "lanes k VX; ")) << first.steps;
  EXPECT_EQ(first.sizes.at("TI") + " " + first.sizes.at("TI_2"), "8 4") << first.steps;
}

TEST(Propose, PrefersLanesThatAllLoadAlikeToSumsOfTheirOwn) {
  const auto pairs = first_of(lift_kernel(R"(__kernel void pairs(__global const float4* p, __global float* o, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float x = p[i].x, s = 0.0f;
    for (int j = 0; j < n; j++) s += p[j].w / (p[j].x - x);
    o[i] = s;
  }
}
)"),
                              wide_cpu());
  EXPECT_TRUE(has(pairs.steps, "lanes 0 VX; ")) << pairs.steps;
}

TEST(Propose, PutsATileOfSumsBeforeAFoldThatOnlySavesWorkItems) {
  const auto unguarded = [](const std::string& value) {
    return lift_kernel(
        "__kernel void sums(__global const float* a, __global float* o, int m) {\n  int i = "
        "get_global_id(0);\n  float s = 0.0f;\n  for (int k = 0; k < m; k++) s += " +
        value + ";\n  o[i] = s;\n}\n");
  };
  const auto names = [](const LiftedKernel& lifted) {
    std::string out;
    for (const auto& t : propose(lifted, wide_cpu()).templates) out += t.name + " ";
    return out;
  };
  EXPECT_EQ(names(unguarded("a[k * m + i]")).substr(0, 10), "tile fold ");
  EXPECT_EQ(names(unguarded("a[k * m + i] / sqrt(a[k])")).substr(0, 10), "fold tile ");
}

TEST(Propose, FoldsAKernelWhoseLaunchCannotBeSmaller) {
  const std::string text =
      "__kernel void scale(__global float* o, int n) {\n  int i = get_global_id(0);\n  o[i] = o[i] * 2.0f;\n}\n";
  const auto names = [](const LiftedKernel& lifted) {
    std::string out;
    for (const auto& t : propose(lifted, cpu()).templates) out += t.name + " ";
    return out;
  };
  auto lifted = lift_kernel(text);
  EXPECT_TRUE(has(names(lifted), "fold")) << names(lifted);
  std::get<Launch>(lifted.mep.workloads.front().launches.front()).arguments["n"].value = Expression::name("n");
  EXPECT_FALSE(has(names(lifted), "fold")) << "n says how many there are: " << names(lifted);
  EXPECT_TRUE(has(first_of(lifted, cpu()).steps, "guard 0; lanes 0 VX;"));
}

TEST(Propose, FoldsGroupsThatRepeatWhatTakesLong) {
  const auto kernel = [](const std::string& value) {
    return lift_kernel(
        "__kernel void merge(__global const float* a, __global const float* w, __global float* o, int n) {\n"
        "  int i = get_global_id(0), row = get_global_id(1);\n"
        "  if (i < n && row < n) o[row * n + i] = a[row * n + i] * " +
            value + ";\n}\n",
        {2, 16});
  };
  const auto folds = [&](const std::string& value) {
    const auto found = propose(kernel(value), cpu());
    return std::any_of(found.templates.begin(), found.templates.end(),
                       [](const Template& t) { return t.name == "fold"; });
  };
  EXPECT_TRUE(folds("exp(w[row])"));
  EXPECT_TRUE(folds("(1.0f / w[row])"));
  EXPECT_FALSE(folds("w[row]"));
  EXPECT_FALSE(folds("(1.0f / 9.0f)"));
  EXPECT_FALSE(folds("exp(w[i])"));
}

PatchLimits fixed_launch(const std::string& kernel) {
  PatchLimits limits;
  limits.applies = true;
  KernelLimit limit;
  limit.kernel = kernel;
  limit.tier = LaunchTier::Kept;
  limit.reason = "other kernels pass there";
  limit.place = "host.c:7";
  limits.kernels = {limit};
  return limits;
}

TEST(Propose, LeavesALaunchAloneThatMayNotChange) {
  const auto lifted = lift_kernel(scale, {1, 16});
  const auto found = propose(lifted, cpu(), fixed_launch("scale"));
  ASSERT_FALSE(found.templates.empty());
  for (const auto& t : found.templates) {
    EXPECT_TRUE(t.launches.empty()) << t.name;
    const auto variant = replay(lifted, t.schedule, default_configuration(t.space));
    ASSERT_TRUE(variant) << t.name << ": " << variant.error().text();
    EXPECT_TRUE(variant->launches.empty()) << t.name;
    EXPECT_NE(variant->source, scale) << t.name;
  }
  EXPECT_TRUE(std::any_of(found.declined.begin(), found.declined.end(), [](const std::string& why) {
    return has(why, "workgroup (scale): the launch must stay as it is: host.c:7: other kernels pass there");
  }));
}

TEST(Propose, TakesNothingTogetherInGroupsThatMustStay) {
  const auto lifted = lift_kernel(
      "__kernel void ids(__global int* c, int n) { if (get_global_id(0) < n) c[get_global_id(0)] = get_local_id(0); "
      "}\n",
      {1, 16});
  EXPECT_TRUE(propose(lifted, gpu(), fixed_launch("ids")).templates.empty());
  EXPECT_FALSE(propose(lifted, gpu()).templates.empty());
}

TEST(Propose, TakesNothingTogetherInGroupsWhoseSizeMayChange) {
  const auto lifted = lift_kernel(
      "__kernel void ids(__global int* c, int n) { if (get_global_id(0) < n) c[get_global_id(0)] = get_local_id(0); "
      "}\n",
      {1, 16});
  auto limits = fixed_launch("ids");
  limits.kernels.front().tier = LaunchTier::Sizes;
  limits.kernels.front().has_local = true;
  const auto found = propose(lifted, gpu(), limits);
  EXPECT_TRUE(found.templates.empty());
  EXPECT_TRUE(std::any_of(found.declined.begin(), found.declined.end(),
                          [](const std::string& why) { return has(why, "which may be another in another run"); }));
  limits.kernels.front().fixed_local = true;
  EXPECT_FALSE(propose(lifted, gpu(), limits).templates.empty());
}

TEST(Propose, FoldsGroupsThatMustStay) {
  const auto found = propose(lift_kernel(in_groups, {1, 16}), cpu(), fixed_launch("last"));
  ASSERT_EQ(found.templates.size(), 1U);
  EXPECT_EQ(print(found.templates[0].schedule.front()), "fold VX");
}

TEST(Propose, FoldsAnyKernelWhoseLaunchMustStay) {
  const auto folds = [](const Proposals& found) {
    return std::any_of(found.templates.begin(), found.templates.end(),
                       [](const Template& t) { return t.name == "fold"; });
  };
  const auto lifted = lift_kernel(scale, {1, 16});
  EXPECT_TRUE(folds(propose(lifted, cpu(), fixed_launch("scale"))));
  EXPECT_FALSE(folds(propose(lifted, cpu())));
  EXPECT_FALSE(folds(propose(lifted, gpu(), fixed_launch("scale"))));
}

TEST(RulesProposer, GivesTheFirstRoundToVectorsWhereTheDeviceHasThem) {
  RulesProposer proposer(lift_kernel(scale));
  RoundContext context;
  context.device = cpu();
  context.limit = 10;
  const auto found = proposer.propose(context);
  ASSERT_TRUE(found);
  for (const auto& t : *found) EXPECT_TRUE(has(join(lines_of(t.schedule), "\n"), "lanes 0 VX")) << t.name;
}

TEST(RulesProposer, DoesNotProposeWhatWasTried) {
  RulesProposer proposer(lift_kernel(scale));
  RoundContext context;
  context.device = cpu();
  context.device.facts["float_lanes"] = std::int64_t{1};
  context.limit = 10;
  const auto first = proposer.propose(context);
  ASSERT_TRUE(first);
  Attempt attempt;
  attempt.proposer = "rules";
  attempt.template_name = first->front().name;
  context.tried.push_back(attempt);
  const auto second = proposer.propose(context);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->size() + 1, first->size());
}

TEST(RulesProposer, PutsWhatPaidOnThisDeviceFirstOnceVectorsWereTried) {
  RulesProposer proposer(lift_kernel(scale));
  RoundContext context;
  context.device = cpu();
  context.limit = 10;
  Pattern pattern;
  pattern.device = "cpu driver 1";
  pattern.change = "merge 0 TI";
  pattern.ratio = 3;
  context.patterns.push_back(pattern);
  const auto first = proposer.propose(context);
  ASSERT_TRUE(first);
  EXPECT_NE(first->front().name, "merge") << "vectors come first where they count";
  Attempt earlier;
  earlier.proposer = "rules";
  earlier.template_name = first->front().name;
  context.tried.push_back(earlier);
  const auto second = proposer.propose(context);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->front().name, "merge");
}

TEST(LaunchFacts, AGuessedBindingProvesNothingApart) {
  auto lifted = lift_kernel(scale, {1, 64, false});
  EXPECT_TRUE(launch_facts(lifted.mep, "scale").distinct("a", "o"));
  auto& launch = std::get<Launch>(lifted.mep.workloads[0].launches[0]);
  launch.arguments.at("o").from = {Provenance::Kind::Seen, "main.c:7"};
  EXPECT_TRUE(launch_facts(lifted.mep, "scale").distinct("a", "o"));
  launch.arguments.at("o").from = {Provenance::Kind::Guessed, {}};
  EXPECT_FALSE(launch_facts(lifted.mep, "scale").distinct("a", "o"));
  EXPECT_TRUE(launch_facts(lifted.mep, "scale").grouped);
  launch.sizes = {Provenance::Kind::Guessed, {}};
  EXPECT_FALSE(launch_facts(lifted.mep, "scale").grouped);
}

TEST(LaunchFacts, BuffersMayBeCalledLikeWordsOfTheExpressionLanguage) {
  auto lifted = lift_kernel(scale);
  auto& launch = std::get<Launch>(lifted.mep.workloads[0].launches[0]);
  launch.arguments.at("a") = {Expression::name("in"), {}};
  launch.arguments.at("o") = {Expression::name("not"), {}};
  EXPECT_EQ(launch_facts(lifted.mep, "scale").buffers.at(0).at(0), "in");
}

}  // namespace
}  // namespace hone::rules
