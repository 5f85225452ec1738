#include "loop/rounds.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <set>

namespace hone::loop {
namespace {

/// A device whose "kernels" are numbers: a variant's source is its time in milliseconds, or a word for its fate.
class FakeEvaluator final : public Evaluator {
 public:
  const DeviceInfo& device() const override { return device_; }
  Result<Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>&) override {
    ++screens;
    screened.push_back(variant.source);
    if (variant.source == "broken") return Screened{BuildFailed{"syntax"}, {}, false};
    const Timed timed = time_of(variant);
    return Screened{timed, {{"tune", timed}}, false};
  }
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) override {
    ++confirms;
    proofs += everywhere ? 1 : 0;
    if (wrong_elsewhere.contains(challenger.source))
      return Confirmation{WrongOutput{"awkward-size", "differs"}, {}, {}, {}, {}, {}};
    Confirmation out{time_of(challenger), {}, {}, {}, {}, {}};
    out.comparison.ratio = number(incumbent) / number(challenger);
    out.comparison.call = out.comparison.ratio > 1.02 ? Comparison::Call::Faster : Comparison::Call::Same;
    return out;
  }
  void prepare(const std::vector<Variant>&) override {}
  Result<Profile> profile(const Variant&, const Timed&) override { return Profile{}; }

  std::set<std::string> wrong_elsewhere;
  std::vector<std::string> screened;
  int screens = 0, confirms = 0, proofs = 0;

 private:
  static double number(const Variant& variant) { return std::stod(variant.source); }
  static Timed time_of(const Variant& variant) {
    const Nanoseconds t(number(variant) * 1e6);
    return Timed{{t, t, t}, {t, t, t}};
  }
  DeviceInfo device_{"fake", "fake", "1", "cpu", {}};
};

class FakeLog final : public TrialLog {
 public:
  Result<std::string> open_run(const RunKey&) override { return std::string("run"); }
  Result<std::string> append(const Trial& trial, const VerdictKey& key) override {
    const auto id = hash_of(key);
    if (verdicts.emplace(id, trial.verdict).second) trials_.push_back({id, trial, key});
    return id;
  }
  Result<std::optional<Verdict>> lookup(const VerdictKey& key) override {
    const auto found = verdicts.find(hash_of(key));
    return found == verdicts.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::vector<LoggedTrial>> trials(const std::string&) override { return trials_; }
  Status record(const Pattern& pattern) override {
    recorded.push_back(pattern);
    return {};
  }
  Result<std::vector<Pattern>> patterns() override { return recorded; }

  std::map<std::string, Verdict> verdicts;
  std::vector<LoggedTrial> trials_;
  std::vector<Pattern> recorded;
};

Template template_of(const std::string& name, std::vector<double> times) {
  Template t;
  t.name = name;
  t.source = "T";
  Parameter p{"T", {}, times.front()};
  for (const double time : times) p.values.emplace_back(time);
  t.space.parameters = {p};
  return t;
}

class FakeProposer final : public Proposer {
 public:
  std::vector<std::vector<Template>> rounds;
  std::optional<Template> remedy;
  std::vector<RoundContext> contexts;
  std::vector<Fault> faults;
  std::function<void()> thinks = [] {};
  std::string name() const override { return "fake"; }
  Result<std::vector<Template>> propose(const RoundContext& context) override {
    contexts.push_back(context);
    thinks();
    const auto at = static_cast<std::size_t>(context.round - 1);
    return at < rounds.size() ? rounds[at] : std::vector<Template>{};
  }
  Result<std::optional<Template>> repair(const RoundContext&, const Fault& fault) override {
    faults.push_back(fault);
    thinks();
    return std::exchange(remedy, std::nullopt);
  }
  std::vector<std::string> declined() const override { return {"lanes: stride is not one"}; }
};

struct Rounds : testing::Test {
  FakeEvaluator evaluator;
  FakeLog log;
  FakeProposer proposer;
  Mep mep;
  LoopOptions options;
  bool stopped = false;
  Seconds clock{0};

  Rounds() {
    mep.source = "100";
    mep.workloads = {{"tune", Role::Tune, {}, {}}, {"secret", Role::HeldOut, {}, {}}};
    options.budget.evaluations = 100;
    options.strategy = "exhaustive";
    options.batch = 1;
  }
  Outcome run() {
    Ports ports;
    ports.evaluator = &evaluator;
    ports.log = &log;
    ports.proposers = {&proposer};
    ports.instantiate = [](const Template& t, const Configuration& c) -> Result<Variant> {
      const auto value = std::get<double>(c.at("T"));
      if (value < 0) return fail("E-RULE", "declines at this value");
      return Variant{t.language, value == 0 ? "broken" : std::to_string(value), {}, {}};
    };
    ports.suggest = [](const Variant&, const Profile&) { return std::vector<Suggestion>{}; };
    ports.pattern_of = [](const Incumbent& i, const Comparison& c, const std::string&) {
      return Pattern{i.template_name, "", "", c.ratio, 1, 1, "", i.configuration};
    };
    ports.now = [this] { return clock; };
    ports.stop = [this] { return stopped; };
    ports.progress = [](const ProgressState&) {};
    ports.note = [](const std::string&) {};
    auto outcome = improve(mep, options, ports);
    EXPECT_TRUE(outcome) << outcome.error().text();
    return *outcome;
  }
};

TEST_F(Rounds, TheFastestConfigurationWinsAndIsProvenAgainstTheOriginal) {
  proposer.rounds = {{template_of("a", {50, 25, 80})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "a");
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 4);
  ASSERT_TRUE(outcome.proof);
  EXPECT_EQ(evaluator.proofs, 1);
  EXPECT_EQ(log.recorded.size(), 1U);
}

TEST_F(Rounds, TheOriginalStaysWhenNothingIsFaster) {
  proposer.rounds = {{template_of("a", {150})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "");
  EXPECT_FALSE(outcome.proof);
  EXPECT_EQ(evaluator.confirms, 0);
  ASSERT_FALSE(outcome.reasons.empty());
  EXPECT_EQ(outcome.reasons.back(), "fake: lanes: stride is not one");
}

TEST_F(Rounds, ACandidateWrongOnOtherSizesIsRefusedAndTheNextBestTaken) {
  evaluator.wrong_elsewhere = {std::to_string(10.0)};
  proposer.rounds = {{template_of("a", {10, 40})}};
  const auto outcome = run();
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 2.5);
  EXPECT_EQ(proposer.faults.size(), 1U);
}

TEST_F(Rounds, ALaterRoundStartsFromTheIncumbentAndSpeedupsAreAgainstTheOriginal) {
  proposer.rounds = {{template_of("a", {50})}, {template_of("b", {20})}, {template_of("c", {30})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "b");
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 5);
  ASSERT_GE(proposer.contexts.size(), 3U);
  EXPECT_EQ(proposer.contexts[1].incumbent.template_name, "a");
}

TEST_F(Rounds, ProposersNeverSeeHeldOutWorkloads) {
  proposer.rounds = {{template_of("a", {50})}};
  run();
  for (const auto& workload : proposer.contexts.at(0).mep.workloads) EXPECT_NE(workload.role, Role::HeldOut);
}

TEST_F(Rounds, AFaultyTemplateIsRepaired) {
  proposer.rounds = {{template_of("bad", {0})}};
  proposer.remedy = template_of("good", {50});
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "good");
  ASSERT_EQ(proposer.faults.size(), 1U);
  EXPECT_EQ(name_of(proposer.faults[0].verdict), "BuildFailed");
}

TEST_F(Rounds, AStepThatDeclinesMakesOnlyThatConfigurationInfeasible) {
  proposer.rounds = {{template_of("a", {-1, 50})}};
  EXPECT_EQ(run().winner.template_name, "a");
}

TEST_F(Rounds, TheBudgetIsNeverExceeded) {
  std::vector<double> many;
  for (int i = 1; i < 500; ++i) many.push_back(i);
  options.budget.evaluations = 30;
  proposer.rounds = {{template_of("a", many), template_of("b", many)}};
  run();
  EXPECT_LE(evaluator.screens, 30 + 1 + 2);
}

TEST_F(Rounds, ASlowProposerTakesNothingFromTheSearch) {
  options.budget = {};
  options.budget.seconds = Seconds(10);
  proposer.thinks = [this] { clock += Seconds(100); };
  proposer.rounds = {{template_of("broken", {0}), template_of("a", {50})}};
  proposer.remedy = template_of("mended", {25});
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "mended");
  EXPECT_GE(outcome.took.count(), 200) << "what it took is told whole";
}

TEST_F(Rounds, WhatTheLogKnowsIsNotScreenedAgain) {
  proposer.rounds = {{template_of("a", {50, 25, 80})}};
  run();
  const int first = evaluator.screens;
  proposer.contexts.clear();
  const auto outcome = run();
  EXPECT_EQ(evaluator.screens, first);
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 4);
}

TEST_F(Rounds, AStopEndsWithAResumableState) {
  stopped = true;
  proposer.rounds = {{template_of("a", {50})}};
  const auto outcome = run();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_FALSE(outcome.proof);
}

TEST_F(Rounds, AnOriginalThatFailsIsAnError) {
  mep.source = "broken";
  Ports ports;
  ports.evaluator = &evaluator;
  ports.log = &log;
  ports.now = [] { return Seconds(0); };
  ports.stop = [] { return false; };
  const auto outcome = improve(mep, options, ports);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), "E-ORIGINAL");
}

}  // namespace
}  // namespace hone::loop
