#include "loop/by_shape.hpp"

#include "fakes.hpp"

namespace hone::loop::test {
namespace {

using search::Outcome;

Configuration rows(std::int64_t value) { return {{"ROWS", value}}; }

Searched searched(const std::vector<std::pair<std::int64_t, search::ByShape>>& seen) {
  Searched out;
  for (const auto& [value, outcomes] : seen) {
    out.told.push_back({rows(value), Outcome::measured(1)});
    out.by_workload.push_back(outcomes);
  }
  return out;
}

/// A kernel that gets `d` but not `n`.
Mep three_shapes() {
  Mep mep;
  mep.kernels = {{"k", {{"width", ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
  Launch launch;
  launch.kernel = "k";
  launch.arguments = {{"width", {Expression::name("d"), {}}}};
  const auto add = [&](const std::string& name, Role role, std::int64_t d, std::int64_t n) {
    mep.workloads.push_back({name, role, {{"d", d}, {"n", n}}, {launch}});
  };
  add("small", Role::Tune, 64, 1);
  add("small, many", Role::Tune, 64, 9);
  add("large", Role::Tune, 4096, 1);
  add("secret", Role::HeldOut, 5120, 1);
  return mep;
}

TEST(ByShape, WorkloadsThatLookAlikeToTheKernelAreOneGroup) {
  const auto groups = size_groups(three_shapes());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].when, (std::map<std::string, Value>{{"d", std::int64_t(64)}}));
  EXPECT_EQ(groups[0].workloads, (std::vector<std::string>{"small", "small, many"}));
  EXPECT_EQ(groups[1].workloads, (std::vector<std::string>{"large"}));
}

TEST(ByShape, SizesTheKernelDoesNotGetTellNothingApart) {
  auto mep = three_shapes();
  for (auto& workload : mep.workloads)
    std::get<Launch>(workload.launches[0]).arguments.at("width").value = Expression::literal(std::int64_t(8));
  EXPECT_TRUE(size_groups(mep).empty());
}

TEST(ByShape, OnlyAGainAboveTheFloorGetsAConfigurationOfItsOwn) {
  const auto table = table_of(searched({{1, {{"small", Outcome::measured(10)}, {"large", Outcome::measured(10)}}},
                                        {2, {{"small", Outcome::measured(5)}, {"large", Outcome::measured(30)}}},
                                        {4, {{"small", Outcome::measured(40)}, {"large", Outcome::measured(9.9)}}}}));
  const std::vector<SizeGroup> groups = {{{{"d", std::int64_t(64)}}, {"small"}},
                                         {{{"d", std::int64_t(4096)}}, {"large"}}};
  const auto own = own_configurations(groups, table, rows(1), 0.02);
  ASSERT_EQ(own.size(), 1U);
  EXPECT_EQ(own[0].configuration, rows(2));
  EXPECT_EQ(own[0].when.at("d"), Value(std::int64_t(64)));
  EXPECT_DOUBLE_EQ(own[0].gain, 1);
  EXPECT_EQ(own_configurations(groups, table, rows(1), 0.005).size(), 2U);
}

TEST(ByShape, ALuckyMeasurementDoesNotChooseAndAnEarlyStopIsNoTime) {
  const auto table = table_of(searched({{1, {{"small", Outcome::measured(10)}}},
                                        {2, {{"small", Outcome::measured(5)}}},
                                        {2, {{"small", Outcome::measured(45)}}},
                                        {4, {{"small", Outcome::censored(1)}}}}));
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_TRUE(own_configurations({{{}, {"small"}}}, table, rows(1), 0.02).empty());
  EXPECT_EQ(search::best_for(table, {"small"})->configuration, rows(1));
}

struct ShapesOfARun : LoopTest {};

TEST_F(ShapesOfARun, SeveralTuneWorkloadsGiveASecondResultAndOneDoesNot) {
  proposer.rounds = {{template_of("a", {50, 20})}};
  EXPECT_FALSE(run().shapes);
  mep.workloads = {{"small", Role::Tune, {{"d", std::int64_t(1)}}, {}},
                   {"large", Role::Tune, {{"d", std::int64_t(2)}}, {}}};
  evaluator.workloads = {"small", "large"};
  const auto outcome = run();
  ASSERT_TRUE(outcome.shapes);
  EXPECT_TRUE(outcome.shapes->own.empty());
  EXPECT_EQ(outcome.shapes->why_not, "the general configuration is as fast as any other on every shape");
}

TEST_F(ShapesOfARun, NothingProvenHasNoShapes) {
  mep.workloads = {{"small", Role::Tune, {}, {}}, {"large", Role::Tune, {}, {}}};
  evaluator.workloads = {"small", "large"};
  EXPECT_FALSE(run().shapes);
}

}  // namespace
}  // namespace hone::loop::test
