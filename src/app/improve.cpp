#include "app/improve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/analysis.hpp"
#include "app/briefing.hpp"
#include "app/evaluator.hpp"
#include "app/instantiate.hpp"
#include "app/interrupt.hpp"
#include "app/pattern_uses.hpp"
#include "app/proposers.hpp"
#include "app/run_key.hpp"
#include "app/run_recording.hpp"
#include "base/hash.hpp"
#include "loop/least_time.hpp"
#include "os/files.hpp"
#include "os/gzip.hpp"
#include "patch/limits.hpp"
#include "patch/shipped_form.hpp"
#include "patterns/patterns.hpp"
#include "report/progress_line.hpp"
#include "search/budget_text.hpp"
#include "search/cache_file.hpp"
#include "store/trial_store.hpp"

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
  command.add_option_function<std::string>(
      "--agent", [this](const std::string& name) { proposer = agent_proposer(name); },
      "Who made the templates, for the log: an agent's name");
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
  out.templates.insert(out.templates.end(), options.own.begin(), options.own.end());
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
  if (!options.repair || options.direct) out.repairs = 0;
  out.candidates = std::max(options.candidates, wishes.templates.size());
  return out;
}

/// What the loop says while it runs.
void connect(loop::Ports& ports, Console& console) {
  ports.progress = [&console](const loop::ProgressState& s) {
    console.progress([&s](std::size_t width) {
      return report::progress_line(
          {s.round, s.rounds, s.doing, s.evaluations, s.failures, s.best, s.done, s.elapsed, s.left}, width);
    });
  };
  ports.note = [&console](const std::string& line) { console.note(line); };
}

}  // namespace

std::string agent_proposer(const std::string& name) {
  constexpr std::size_t longest = 64;
  std::string kept;
  for (const char c : name.substr(0, longest))
    kept += std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-_.+").find(c) != std::string::npos
                ? c
                : '-';
  return kept.empty() ? "person" : "agent:" + kept;
}

Result<std::vector<search::Told>> load_prior(const std::string& file) {
  const auto text = os::read_maybe_gzip(file);
  if (!text) return fail(text.error());
  return prior_in(*text, file);
}

namespace {

/// What a run stands on: a device and a log, or a recording of both.
struct Stage {
  loop::Evaluator& evaluator;
  TrialLog& log;
  judge::SpeedLimit* speed;
  Ceilings ceilings;
  patterns::PatternUses uses;
  std::string exchanges;
  std::function<Seconds()> now;
  std::function<bool()> stop;
  std::function<void(const std::string&)> came;
  std::function<bool(bool)> arrived;
  std::function<void()> asks_aside;
  bool asked_aside = false;  // as a recording says
};

Result<Improved> run_on(const Stage& stage, const Mep& mep, const ImproveOptions& options, const Wishes& wishes,
                        Console& console, TimeLedger& ledger, const PatchLimits& limits, const std::string& run) {
  const DeviceInfo& device = stage.evaluator.device();
  const Instantiator instantiate(mep);  // lifts K(0), once
  const auto proposers = Proposers::open(options, wishes.templates, instantiate.lifted(), console, ledger,
                                         stage.exchanges, stage.came, stage.asked_aside);
  if (!proposers) return fail(proposers.error());

  auto looping = loop_options(options, wishes);
  looping.run = run;
  looping.mep_hash = judged_as(mep, options.check_command);
  looping.limits = limits;
  looping.least =
      loop::least_times(mep, instantiate.lifted() ? &instantiate.lifted()->unit : nullptr, device, stage.ceilings);
  loop::Ports ports;
  connect(ports, console);
  ports.briefing = brief(mep, instantiate.lifted() ? &*instantiate.lifted() : nullptr, device, stage.ceilings, limits);
  ports.pattern_uses = stage.uses;
  ports.now = stage.now;
  ports.stop = stage.stop;
  ports.ledger = &ledger;
  ports.evaluator = &stage.evaluator;
  ports.log = &stage.log;
  ports.proposers = (*proposers)->all();
  ports.aside = &(*proposers)->aside();
  if ((*proposers)->model_is_elsewhere()) stage.asks_aside();
  ports.arrived = stage.arrived;
  ports.leave = [&] { (*proposers)->leave(); };
  ports.instantiate = [&](const Template& proposed, const Configuration& configuration) -> Result<Variant> {
    auto variant = instantiate(proposed, configuration);
    if (variant) variant = patch::shipped_form(mep, limits, std::move(*variant));  // judged and timed as it will ship
    if (variant)
      if (auto allowed = patch::allows(limits, *variant); !allowed) return fail(std::move(allowed).error());
    return variant;
  };
  ports.analyse = [&](const Variant& variant, const Profile& profile) {
    return analyse_variant(mep, variant, profile, device, stage.speed);
  };
  ports.pattern_of = [&](const Incumbent& winner, const Comparison& comparison, const std::string& trial) {
    return patterns::pattern_of(mep, winner, comparison, device, trial);
  };

  auto outcome = loop::improve(mep, looping, ports);
  console.clear_progress();
  if (!outcome) return fail(std::move(outcome).error());
  Improved improved{std::move(*outcome), device, run, looping.least, {}, "", (*proposers)->citations()};
  if (const auto spent = (*proposers)->spent())
    improved.notes.push_back(
        fmt::format("the model gave {} answers: {} tokens in ({} of them cached), {} out ({} of them "
                    "reasoning), cost {:.4f}",
                    spent->calls, spent->usage.input, spent->usage.cached, spent->usage.output, spent->usage.reasoning,
                    spent->cost));
  return improved;
}

/// The bandwidths that were measured then.
class RecordedSpeed final : public judge::SpeedLimit {
 public:
  explicit RecordedSpeed(const Ceilings& ceilings) : ceilings_(ceilings) {}
  std::optional<Nanoseconds> least_time(Bytes moved) override {
    return ceilings_.bandwidth.empty() ? std::nullopt : std::optional(hone::least_time(ceilings_, moved, moved));
  }
  std::optional<Nanoseconds> least_time_now(Bytes moved) override { return least_time(moved); }

 private:
  const Ceilings& ceilings_;
};

/// Without a device, without a network: everything is taken from the recording.
Result<Improved> replay_run(const std::string& folder, const ImproveOptions& asked, const Wishes& wishes,
                            Console& console, TimeLedger& ledger) {
  auto recorded = read_recorded(folder);
  if (!recorded) return fail(std::move(recorded).error());
  auto options = recorded->options;
  options.replay = "all";
  auto again = read_wishes(options);
  if (!again) return fail(std::move(again).error());
  again->templates = recorded->templates;
  again->prior = wishes.prior;
  const auto scratch = os::TempFolder::make("hone-replay");
  if (!scratch) return fail(scratch.error());
  auto log = store::open_trial_log((scratch->path() / "trials.db").string());
  if (!log) return fail(std::move(log).error());
  const auto replayer = RunReplayer::open(folder, *recorded, **log);
  if (!replayer) return fail(replayer.error());
  const auto key = run_key(judged_as(recorded->mep, options.check_command), options, again->templates,
                           wishes.prior_text, recorded->device);
  const auto run = (*log)->open_run(key);
  if (!run) return fail(run.error());
  RecordedSpeed speed(recorded->ceilings);
  const Stage stage{(*replayer)->evaluator(),
                    (*replayer)->log(),
                    &speed,
                    recorded->ceilings,
                    recorded->uses,
                    folder + "/exchanges",
                    [&] { return (*replayer)->clock().now(); },
                    [&] { return (*replayer)->stopped(); },
                    [&](const std::string& exchange) { (*replayer)->exchanged(exchange); },
                    [&](bool) { return (*replayer)->arrived(); },
                    [] {},
                    (*replayer)->was_asked_aside()};
  auto improved = run_on(stage, recorded->mep, options, *again, console, ledger, recorded->limits, *run);
  if (!improved) return improved;
  improved->recording = folder;
  improved->notes.push_back("replayed from " + folder + ": nothing was measured or asked now");
  (void)asked;
  return improved;
}

}  // namespace

namespace {

/// Measured on the device, and recorded where a model is asked.
Result<Improved> measure_run(JudgeSetup& setup, const Mep& mep, const ImproveOptions& options, const Wishes& wishes,
                             Console& console, TimeLedger& ledger, const PatchLimits& limits) {
  if (auto kept = keep_state_small(); !kept) return fail(std::move(kept).error());
  auto log = open_log();
  if (!log) return fail(std::move(log).error());
  const DeviceInfo& device = setup.device();
  const auto key = run_key(judged_as(mep, options.check_command), options, wishes.templates, wishes.prior_text, device);
  const auto run = (*log)->open_run(key);
  if (!run) return fail(run.error());
  JudgeEvaluator evaluator(setup.judge(), device);
  Interrupt interrupt;
  const auto uses = load_pattern_uses();

  auto folder = options.recording;
  if (folder.empty() && !options.model.name.empty()) {
    auto usual = recording_folder(key);
    if (!usual) return fail(std::move(usual).error());
    folder = std::move(*usual);
  }
  std::unique_ptr<RunRecorder> recorder;
  if (!folder.empty() && options.replay.empty()) {
    const auto patterns = (*log)->patterns();
    if (!patterns) return fail(patterns.error());
    const RecordedRun recorded{mep, device, setup.ceilings(), *patterns, wishes.templates, options, limits, uses};
    if (auto done = write_recorded(folder, recorded); !done) return fail(std::move(done).error());
    auto made = RunRecorder::create(folder, evaluator, **log);
    if (!made) return fail(std::move(made).error());
    recorder = std::move(*made);
  }
  const Stage stage{recorder ? recorder->evaluator() : evaluator,
                    recorder ? recorder->log() : **log,
                    setup.speed(),
                    setup.ceilings(),
                    uses,
                    folder + "/exchanges",
                    [&] { return recorder ? recorder->clock().now() : steady_now(); },
                    [&] { return recorder ? recorder->note_stop(Interrupt::asked()) : Interrupt::asked(); },
                    [&](const std::string& exchange) {
                      if (recorder) recorder->exchanged(exchange);
                    },
                    [&](bool is_there) { return recorder ? recorder->note_arrival(is_there) : is_there; },
                    [&] {
                      if (recorder) recorder->note_aside();
                    },
                    false};
  auto improved = run_on(stage, mep, options, wishes, console, ledger, limits, *run);
  if (!improved) return improved;
  const auto notes = setup.judge().notes();
  improved->notes.insert(improved->notes.begin(), notes.begin(), notes.end());
  if (recorder) improved->recording = folder;
  if (!improved->citations.empty())
    if (auto kept = save_pattern_uses(with_citations(uses, improved->citations, improved->outcome.attempts)); !kept)
      improved->notes.push_back("what patterns are worth was not kept: " + kept.error().message());
  return improved;
}

}  // namespace

Result<Improved> improve_with(JudgeSetup& setup, const Mep& mep, const ImproveOptions& options, Console& console,
                              TimeLedger& ledger, const PatchLimits& limits) {
  const auto wishes = read_wishes(options);
  if (!wishes) return fail(wishes.error());
  return measure_run(setup, mep, options, *wishes, console, ledger, limits);
}

Result<Improved> improve_mep(const Mep& mep, const ImproveOptions& options, Console& console, TimeLedger& ledger,
                             const PatchLimits& limits) {
  const auto wishes = read_wishes(options);
  if (!wishes) return fail(wishes.error());
  if (options.replay == "all") {
    auto folder = options.recording.empty() ? newest_recording(run_key(judged_as(mep, options.check_command), options,
                                                                       wishes->templates, wishes->prior_text, {}))
                                            : Result<std::string>(options.recording);
    if (!folder) return fail(std::move(folder).error());
    return replay_run(*folder, options, *wishes, console, ledger);
  }
  const auto setup =
      JudgeSetup::open(mep, options.device, {options.seed, wishes->budget.seconds, options.check_command}, &ledger);
  if (!setup) return fail(setup.error());
  return measure_run(**setup, mep, options, *wishes, console, ledger, limits);
}

}  // namespace hone::app
