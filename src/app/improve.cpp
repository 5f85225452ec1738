#include "app/improve.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>

#include "affine/view.hpp"
#include "agents/model_proposer.hpp"
#include "app/evaluator.hpp"
#include "app/instantiate.hpp"
#include "app/interrupt.hpp"
#include "app/judge_setup.hpp"
#include "app/person_proposer.hpp"
#include "base/text.hpp"
#include "llm/open_model.hpp"
#include "loop/suggest.hpp"
#include "os/gzip.hpp"
#include "patch/limits.hpp"
#include "patterns/patterns.hpp"
#include "report/progress_line.hpp"
#include "rules/all_rules.hpp"
#include "rules/propose.hpp"
#include "search/cache_file.hpp"

namespace hone::app {

void ImproveOptions::add_options(CLI::App& command) {
  device.add_options(command);
  command
      .add_option("--budget", budget,
                  "How long to search, without waiting for a model: 60s, 5m, a number of evaluations, or both: 200,5m")
      ->capture_default_str();
  command.add_option("--target", target, "Stop at a time of so many milliseconds")->check(CLI::PositiveNumber);
  command.add_option("--no-gain", no_gain, "Stop after so many evaluations without a better one")
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", seed, "Seed of everything random")->capture_default_str();
  command.add_option("--strategy", strategy, "adaptive, descent, genetic, random or exhaustive")->capture_default_str();
  command.add_option("--template", templates, "A folder with a template of yours; may be repeated");
}

Result<search::Budget> parse_budget(const std::string& text) {
  const auto wrong = [&] {
    return fail("E-BUDGET", "'" + text + "' is not a budget",
                "--budget 60s, --budget 5m, --budget 200 or --budget 200,5m");
  };
  static const std::map<std::string, double> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
  search::Budget budget;
  for (const auto& part : split(text, ',')) {
    std::size_t digits = 0;
    double amount = 0;
    try {
      amount = std::stod(part, &digits);
    } catch (const std::exception&) {
      return wrong();
    }
    const auto unit = part.substr(digits);
    if (!std::isfinite(amount) || amount <= 0) return wrong();
    if (const auto known = units.find(unit); known != units.end())
      budget.seconds = Seconds(amount * known->second);
    else if (unit.empty() && std::floor(amount) == amount)
      budget.evaluations = static_cast<std::size_t>(amount);
    else
      return wrong();
  }
  return budget;
}

Result<std::vector<search::Told>> load_prior(const std::string& file) {
  const auto text = os::read_maybe_gzip(file);
  if (!text) return fail(text.error());
  const auto cache = search::read_measurements(*text);
  if (!cache) return fail(Error(cache.error()).context(file));
  std::vector<search::Told> told;
  for (const auto& entry : cache->entries) told.push_back({entry.configuration, entry.outcome});
  return told;
}

namespace {

Seconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

Result<std::vector<Template>> load_templates(const std::vector<std::string>& folders) {
  std::vector<Template> out;
  for (const auto& folder : folders) {
    auto loaded = load_template(folder);
    if (!loaded) return fail(std::move(loaded).error());
    out.push_back(std::move(*loaded));
  }
  return out;
}

/// GB/s at which the data of this variant can move at best; 0 when that is not known.
double ceiling_of(const Profile& profile, judge::SpeedLimit* speed) {
  const auto bytes = profile.numbers.find("compulsory_bytes");
  if (speed == nullptr || bytes == profile.numbers.end() || bytes->second < 1) return 0;
  const auto least = speed->least_time(Bytes{static_cast<std::uint64_t>(bytes->second)});
  return least && least->count() > 0 ? bytes->second / least->count() : 0;
}

/// From the original's accesses: its schedules' own names, which a proposer can refer to.
std::vector<Suggestion> suggestions(const Instantiator& instantiate, const Profile& profile, const DeviceInfo& device,
                                    double ceiling) {
  if (!instantiate.lifted()) return {};
  const auto& lifted = *instantiate.lifted();
  const auto kernel = ir::find_function(lifted.unit, lifted.kernel);
  if (!kernel) return {};
  return loop::suggest(affine::analyse(lifted.unit, kernel), profile, device, ceiling);
}

}  // namespace

Result<Improved> improve_mep(const Mep& mep, const ImproveOptions& options, Console& console,
                             const PatchLimits& limits) {
  const auto budget = parse_budget(options.budget);
  if (!budget) return fail(budget.error());
  auto templates = load_templates(options.templates);
  if (!templates) return fail(std::move(templates).error());
  auto log = open_log();
  if (!log) return fail(std::move(log).error());

  const auto setup = JudgeSetup::open(mep, options.device, options.seed);
  if (!setup) return fail(setup.error());
  judge::Judge& judge = (*setup)->judge();
  const DeviceInfo& device = (*setup)->device();
  JudgeEvaluator evaluator(judge, device);

  RunKey key{hash_of(mep),
             fmt::format("{} {} {} {} {} {} {} {}", options.budget, options.strategy, join(options.templates, ","),
                         options.model, options.rules, options.target, options.no_gain, options.prior),
             options.seed, device.name + " " + device.driver};
  const auto run = (*log)->open_run(key);
  if (!run) return fail(run.error());

  PersonProposer person(*templates);
  loop::LoopOptions looping;
  looping.budget = *budget;
  if (options.target > 0) looping.budget.target = 1e6 * options.target;
  if (options.no_gain > 0) looping.budget.no_gain_for = options.no_gain;
  if (!options.prior.empty()) {
    auto prior = load_prior(options.prior);
    if (!prior) return fail(std::move(prior).error());
    looping.prior = std::move(*prior);
  }
  looping.strategy = options.strategy;
  looping.seed = options.seed;
  looping.rounds = options.rounds;
  looping.candidates = std::max(options.candidates, templates->size());
  looping.limits = limits;
  looping.run = *run;
  looping.mep_hash = key.mep;

  const Instantiator instantiate(mep);
  Interrupt interrupt;
  loop::Ports ports;
  ports.evaluator = &evaluator;
  ports.log = log->get();
  if (!templates->empty()) ports.proposers.push_back(&person);
  std::unique_ptr<LanguageModel> model;
  std::optional<agents::ModelProposer> model_proposer;
  if (!options.model.empty()) {
    auto opened = llm::open_model(options.model, llm::process_environment(),
                                  [&](const std::string& line) { console.note(line); });
    if (!opened) return fail(std::move(opened).error());
    model = std::move(*opened);
    agents::ModelOptions asking;
    asking.rules = rules::rule_forms();
    ports.proposers.push_back(&model_proposer.emplace(*model, std::move(asking)));
  }
  std::optional<rules::RulesProposer> rules;
  if (options.rules && instantiate.lifted()) ports.proposers.push_back(&rules.emplace(*instantiate.lifted()));
  ports.instantiate = [&](const Template& proposed, const Configuration& configuration) -> Result<Variant> {
    auto variant = instantiate(proposed, configuration);
    if (variant)
      if (auto allowed = patch::allows(limits, *variant); !allowed) return fail(std::move(allowed).error());
    return variant;
  };
  ports.suggest = [&](const Variant&, const Profile& profile) {
    return suggestions(instantiate, profile, device, ceiling_of(profile, (*setup)->speed()));
  };
  ports.pattern_of = [&](const Incumbent& winner, const Comparison& comparison, const std::string& trial) {
    return patterns::pattern_of(mep, winner, comparison, device, trial);
  };
  ports.now = steady_now;
  ports.stop = [] { return Interrupt::asked(); };
  ports.progress = [&console](const loop::ProgressState& s) {
    console.progress([&s](std::size_t width) {
      return report::progress_line(
          {s.round, s.rounds, s.doing, s.evaluations, s.failures, s.best, s.done, s.elapsed, s.left}, width);
    });
  };
  ports.note = [&console](const std::string& line) { console.note(line); };

  auto outcome = loop::improve(mep, looping, ports);
  console.clear_progress();
  if (!outcome) return fail(std::move(outcome).error());
  return Improved{std::move(*outcome), device, *run, judge.notes()};
}

}  // namespace hone::app
