#include "app/improve.hpp"

#include <algorithm>

#include "app/analysis.hpp"
#include "app/briefing.hpp"
#include "app/evaluator.hpp"
#include "app/instantiate.hpp"
#include "app/interrupt.hpp"
#include "app/judge_setup.hpp"
#include "app/proposers.hpp"
#include "app/run_key.hpp"
#include "base/hash.hpp"
#include "loop/least_time.hpp"
#include "os/gzip.hpp"
#include "patch/limits.hpp"
#include "patch/shipped_form.hpp"
#include "patterns/patterns.hpp"
#include "report/progress_line.hpp"
#include "search/budget_text.hpp"
#include "search/cache_file.hpp"

namespace hone::app {

void ImproveOptions::add_options(CLI::App& command) {
  device.add_options(command);
  command
      .add_option("--budget", budget,
                  "How long to search and prove, without waiting for a model: 60s, 5m, a number of evaluations, or "
                  "both: 200,5m")
      ->capture_default_str();
  command.add_option("--target", target, "Stop at a time of so many milliseconds")->check(CLI::PositiveNumber);
  command.add_option("--no-gain", no_gain, "Stop after so many evaluations without a better one")
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", seed, "Seed of everything random")->capture_default_str();
  command.add_option("--check-command", check_command,
                     "A shell command that decides whether outputs are right, instead of their types' rule");
  command.add_option("--strategy", strategy, "adaptive, descent, genetic, random or exhaustive")->capture_default_str();
  command.add_option("--template", templates, "A folder with a template of yours; may be repeated");
}

namespace {

Result<std::vector<search::Told>> prior_in(const std::string& text, const std::string& file) {
  const auto cache = search::read_measurements(text);
  if (!cache) return fail(Error(cache.error()).context(file));
  std::vector<search::Told> told;
  for (const auto& entry : cache->entries) told.push_back({entry.configuration, entry.outcome});
  return told;
}

/// What the command line names, read before anything is started.
struct Wishes {
  search::Budget budget;
  std::vector<Template> templates;
  std::string prior_text;
  std::vector<search::Told> prior;
};

Result<Wishes> read_wishes(const ImproveOptions& options) {
  Wishes out;
  auto budget = search::parse_budget(options.budget);
  if (!budget) return fail(std::move(budget).error());
  out.budget = *budget;
  if (options.target > 0) out.budget.target = 1e6 * options.target;
  if (options.no_gain > 0) out.budget.no_gain_for = options.no_gain;
  for (const auto& folder : options.templates) {
    auto loaded = load_template(folder);
    if (!loaded) return fail(std::move(loaded).error());
    out.templates.push_back(std::move(*loaded));
  }
  if (options.prior.empty()) return out;
  auto text = os::read_maybe_gzip(options.prior);
  if (!text) return fail(std::move(text).error());
  out.prior_text = std::move(*text);
  auto prior = prior_in(out.prior_text, options.prior);
  if (!prior) return fail(std::move(prior).error());
  out.prior = std::move(*prior);
  return out;
}

loop::LoopOptions loop_options(const ImproveOptions& options, const Wishes& wishes) {
  loop::LoopOptions out;
  out.budget = wishes.budget;
  out.prior = wishes.prior;
  out.strategy = options.strategy;
  out.seed = options.seed;
  out.rounds = options.rounds;
  out.candidates = std::max(options.candidates, wishes.templates.size());
  return out;
}

/// What the loop says while it runs.
void connect(loop::Ports& ports, Console& console) {
  ports.stop = [] { return Interrupt::asked(); };
  ports.progress = [&console](const loop::ProgressState& s) {
    console.progress([&s](std::size_t width) {
      return report::progress_line(
          {s.round, s.rounds, s.doing, s.evaluations, s.failures, s.best, s.done, s.elapsed, s.left}, width);
    });
  };
  ports.note = [&console](const std::string& line) { console.note(line); };
}

}  // namespace

Result<std::vector<search::Told>> load_prior(const std::string& file) {
  const auto text = os::read_maybe_gzip(file);
  if (!text) return fail(text.error());
  return prior_in(*text, file);
}

Result<Improved> improve_mep(const Mep& mep, const ImproveOptions& options, Console& console, TimeLedger& ledger,
                             const PatchLimits& limits) {
  const auto wishes = read_wishes(options);
  if (!wishes) return fail(wishes.error());
  if (auto kept = keep_state_small(); !kept) return fail(std::move(kept).error());
  auto log = open_log();
  if (!log) return fail(std::move(log).error());
  const auto setup =
      JudgeSetup::open(mep, options.device, {options.seed, wishes->budget.seconds, options.check_command}, &ledger);
  if (!setup) return fail(setup.error());
  const DeviceInfo& device = (*setup)->device();
  // What another rule called right or wrong says nothing under this one.
  const auto judged_as =
      options.check_command.empty() ? hash_of(mep) : content_hash(hash_of(mep) + options.check_command);
  const auto key = run_key(judged_as, options, wishes->templates, wishes->prior_text, device);
  const auto run = (*log)->open_run(key);
  if (!run) return fail(run.error());

  const Instantiator instantiate(mep);  // lifts K(0), once
  const auto proposers = Proposers::open(options, wishes->templates, instantiate.lifted(), console, ledger);
  if (!proposers) return fail(proposers.error());
  JudgeEvaluator evaluator((*setup)->judge(), device);
  Interrupt interrupt;

  auto looping = loop_options(options, *wishes);
  looping.run = *run;
  looping.mep_hash = key.mep;
  looping.limits = limits;
  looping.least = loop::least_times(mep, instantiate.lifted() ? &instantiate.lifted()->unit : nullptr, device,
                                    (*setup)->ceilings());
  loop::Ports ports;
  connect(ports, console);
  ports.briefing =
      brief(mep, instantiate.lifted() ? &*instantiate.lifted() : nullptr, device, (*setup)->ceilings(), limits);
  ports.now = steady_now;
  ports.ledger = &ledger;
  ports.evaluator = &evaluator;
  ports.log = log->get();
  ports.proposers = (*proposers)->all();
  ports.instantiate = [&](const Template& proposed, const Configuration& configuration) -> Result<Variant> {
    auto variant = instantiate(proposed, configuration);
    if (variant) variant = patch::shipped_form(mep, limits, std::move(*variant));  // judged and timed as it will ship
    if (variant)
      if (auto allowed = patch::allows(limits, *variant); !allowed) return fail(std::move(allowed).error());
    return variant;
  };
  ports.analyse = [&](const Variant& variant, const Profile& profile) {
    return analyse_variant(mep, variant, profile, device, (*setup)->speed());
  };
  ports.pattern_of = [&](const Incumbent& winner, const Comparison& comparison, const std::string& trial) {
    return patterns::pattern_of(mep, winner, comparison, device, trial);
  };

  auto outcome = loop::improve(mep, looping, ports);
  console.clear_progress();
  if (!outcome) return fail(std::move(outcome).error());
  return Improved{std::move(*outcome), device, *run, looping.least, (*setup)->judge().notes()};
}

}  // namespace hone::app
