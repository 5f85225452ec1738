#pragma once
// A device, a log and a proposer made of plain values, and a fixture that joins them with a clock of its own.

#include <gtest/gtest.h>

#include <set>

#include "loop/rounds.hpp"

namespace hone::loop::test {

/// A device whose "kernels" are numbers: a variant's source is its time in milliseconds, or a word for its fate.
class FakeEvaluator final : public Evaluator {
 public:
  const DeviceInfo& device() const override { return device_; }
  Result<Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) override {
    ++screens;
    spend(screen_cost);
    screened.push_back(variant.source);
    if (variant.source == "broken") return Screened{BuildFailed{"syntax"}, {}, false};
    const Timed timed = time_of(variant);
    Screened out{timed, {}, false};
    for (const auto& workload : workloads) {
      out.times[workload] = timed;
      const auto known = incumbent.find(workload);
      out.censored = censors && known != incumbent.end() && timed.span.front() > 1.5 * known->second;
      if (out.censored) break;
    }
    return out;
  }
  Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) override {
    ++confirms;
    spend(confirm_cost);
    if (confirms == 1) screens_before_the_first_confirmation = screens;
    proofs += everywhere ? 1 : 0;
    const bool refused =
        wrong_elsewhere.contains(challenger.source) || (everywhere && wrong_in_the_end.contains(challenger.source));
    if (refused) return Confirmation{WrongOutput{"awkward-size", "differs"}, {}, {}, {}, {}, {}};
    Confirmation out{time_of(challenger), {}, {}, {}, {}, {}};
    out.comparison.ratio = number(incumbent) / number(challenger);
    out.comparison.call = out.comparison.ratio > 1.02 ? Comparison::Call::Faster : Comparison::Call::Same;
    for (const auto& workload : workloads)
      out.workloads.push_back({workload, Role::Tune, out.comparison, time_of(incumbent), time_of(challenger)});
    return out;
  }
  void prepare(const std::vector<Variant>& variants) override {
    std::vector<std::string> sources;
    for (const auto& variant : variants) sources.push_back(variant.source);
    prepared.push_back(std::move(sources));
  }

  std::vector<std::string> workloads = {"tune"};
  bool censors = false;
  std::set<std::string> wrong_elsewhere, wrong_in_the_end;
  std::vector<std::string> screened;
  std::vector<std::vector<std::string>> prepared;
  int screens = 0, confirms = 0, proofs = 0, screens_before_the_first_confirmation = 0;
  Seconds screen_cost{0}, confirm_cost{0};
  std::function<void(Seconds)> spend = [](Seconds) {};

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
    if (known_.try_emplace(id, LoggedTrial{id, trial, key}).second) all.push_back({id, trial, key});
    return id;
  }
  Result<std::optional<LoggedTrial>> lookup(const VerdictKey& key) override {
    const auto found = known_.find(hash_of(key));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::vector<LoggedTrial>> trials(const std::string&) override { return all; }
  Status record(const Pattern& pattern) override {
    recorded.push_back(pattern);
    return {};
  }
  Result<std::vector<Pattern>> patterns() override { return recorded; }

  std::vector<LoggedTrial> all;
  std::vector<Pattern> recorded;

 private:
  std::map<std::string, LoggedTrial> known_;
};

/// One parameter whose values are times; the first one is the default.
inline Template template_of(const std::string& name, std::vector<double> times) {
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
  std::function<std::optional<Template>(const Fault&)> mends;  // in place of `remedy`
  std::vector<RoundContext> contexts;
  std::vector<Fault> faults;
  std::function<void()> thinks = [] {};
  bool elsewhere = false;
  bool one_by_one = false;  // then `answers` holds what each question gets
  std::vector<std::vector<Template>> answers;
  std::string name() const override { return "fake"; }
  bool answers_one_by_one() const override { return one_by_one; }
  bool waits_elsewhere() const override { return elsewhere; }
  bool has_more() const override { return one_by_one && contexts.size() < answers.size(); }
  Result<std::vector<Template>> propose(const RoundContext& context) override {
    contexts.push_back(context);
    thinks();
    if (one_by_one) return contexts.size() <= answers.size() ? answers[contexts.size() - 1] : std::vector<Template>{};
    const auto at = static_cast<std::size_t>(context.round - 1);
    return at < rounds.size() ? rounds[at] : std::vector<Template>{};
  }
  Result<std::optional<Template>> repair(const RoundContext&, const Fault& fault) override {
    faults.push_back(fault);
    thinks();
    return mends ? mends(fault) : std::exchange(remedy, std::nullopt);
  }
  std::vector<std::string> declined() const override { return {"lanes: stride is not one"}; }
};

struct LoopTest : testing::Test {
  FakeEvaluator evaluator;
  FakeLog log;
  FakeProposer proposer;
  Mep mep;
  LoopOptions options;
  bool stopped = false;
  Seconds clock{0};
  TimeLedger ledger{[this] { return clock; }};
  std::vector<std::string> analysed;  // sources

  LoopTest() {
    mep.source = "100";
    mep.workloads = {{"tune", Role::Tune, {}, {}}, {"secret", Role::HeldOut, {}, {}}};
    options.budget.evaluations = 100;
    options.strategy = "exhaustive";
    options.batch = 1;
    evaluator.spend = [this](Seconds cost) { clock += cost; };
  }
  Ports ports() {
    Ports ports;
    ports.evaluator = &evaluator;
    ports.log = &log;
    ports.proposers = {&proposer};
    ports.ledger = &ledger;
    ports.instantiate = [](const Template& t, const Configuration& c) -> Result<Variant> {
      const auto value = std::get<double>(c.at("T"));
      if (value < 0) return fail("E-RULE", "declines at this value");
      return Variant{t.language, value == 0 ? "broken" : std::to_string(value), {}, {}};
    };
    ports.analyse = [this](const Variant& variant, const Profile&) {
      analysed.push_back(variant.source);
      return Advice{{{SuggestionKind::Locality, variant.source, "", ""}}, {"c moves by 1"}};
    };
    ports.pattern_of = [](const Incumbent& i, const Comparison& c, const std::string&) {
      return Pattern{i.template_name, "", "", c.ratio, 1, 1, "", i.configuration, ""};
    };
    ports.now = [this] { return clock; };
    ports.stop = [this] { return stopped; };
    ports.progress = [](const ProgressState&) {};
    ports.note = [](const std::string&) {};
    return ports;
  }
  Outcome run() {
    auto outcome = improve(mep, options, ports());
    EXPECT_TRUE(outcome) << outcome.error().text();
    return *outcome;
  }
  void seconds(double budget, double screen, double confirm) {
    options.budget = {};
    options.budget.seconds = Seconds(budget);
    evaluator.screen_cost = Seconds(screen);
    evaluator.confirm_cost = Seconds(confirm);
  }
};

}  // namespace hone::loop::test
