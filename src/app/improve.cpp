#include "app/improve.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/evaluator.hpp"
#include "app/instantiate.hpp"
#include "app/interrupt.hpp"
#include "app/person_proposer.hpp"
#include "base/text.hpp"
#include "judge/judge.hpp"
#include "store/device_lock.hpp"

namespace hone::app {

void ImproveOptions::add_options(CLI::App& command) {
  device.add_options(command);
  command.add_option("--budget", budget, "How long to search: 60s, 5m, or a number of evaluations")
      ->capture_default_str();
  command.add_option("--seed", seed, "Seed of everything random")->capture_default_str();
  command.add_option("--strategy", strategy, "adaptive, descent, genetic, random or exhaustive")->capture_default_str();
  command.add_option("--template", templates, "A folder with a template of yours; may be repeated");
}

Result<loop::Budget> parse_budget(const std::string& text) {
  const auto wrong = [&] {
    return fail("E-BUDGET", "'" + text + "' is not a budget", "--budget 60s, --budget 5m or --budget 200");
  };
  std::size_t digits = 0;
  double amount = 0;
  try {
    amount = std::stod(text, &digits);
  } catch (const std::exception&) {
    return wrong();
  }
  const auto unit = text.substr(digits);
  if (!std::isfinite(amount) || amount <= 0) return wrong();
  if (unit == "s") return loop::Budget{std::nullopt, Seconds(amount)};
  if (unit == "m") return loop::Budget{std::nullopt, Seconds(60 * amount)};
  if (unit == "h") return loop::Budget{std::nullopt, Seconds(3600 * amount)};
  if (unit.empty() && std::floor(amount) == amount) return loop::Budget{static_cast<std::size_t>(amount), std::nullopt};
  return wrong();
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

}  // namespace

Result<Improved> improve_mep(const Mep& mep, const ImproveOptions& options, Console& console) {
  const auto budget = parse_budget(options.budget);
  if (!budget) return fail(budget.error());
  auto templates = load_templates(options.templates);
  if (!templates) return fail(std::move(templates).error());
  const auto state = state_folder();
  if (!state) return fail(state.error());
  auto log = open_log();
  if (!log) return fail(std::move(log).error());

  worker::WorkerSessions sessions(options.device.options());
  judge::JudgeOptions judging;
  judging.seed = options.seed;
  const auto turns = store::device_turns(*state, options.device.device.empty() ? "first" : options.device.device);
  judge::JudgePorts judge_ports;
  judge_ports.turns = turns.get();
  judge::Judge judge(mep, sessions, judging, judge_ports);
  const auto device = judge.device();
  if (!device) return fail(device.error());
  JudgeEvaluator evaluator(judge, *device);

  RunKey key{hash_of(mep),
             fmt::format("{} {} {} {} {}", options.budget, options.strategy, join(options.templates, ","),
                         options.model, options.rules),
             options.seed, device->name + " " + device->driver};
  const auto run = (*log)->open_run(key);
  if (!run) return fail(run.error());

  PersonProposer person(*templates);
  loop::LoopOptions looping;
  looping.budget = *budget;
  looping.strategy = options.strategy;
  looping.seed = options.seed;
  looping.rounds = options.rounds;
  looping.candidates = std::max(options.candidates, templates->size());
  looping.run = *run;
  looping.mep_hash = key.mep;

  Interrupt interrupt;
  loop::Ports ports;
  ports.evaluator = &evaluator;
  ports.log = log->get();
  if (!templates->empty()) ports.proposers.push_back(&person);
  ports.instantiate = Instantiator(mep);
  ports.suggest = [](const Variant&, const Profile&) { return std::vector<Suggestion>{}; };
  ports.pattern_of = [&](const Incumbent& winner, const Comparison& c, const std::string& trial) {
    return Pattern{winner.template_name, mep.name, device->name, c.ratio, c.low, c.high, trial, winner.configuration};
  };
  ports.now = steady_now;
  ports.stop = [] { return Interrupt::asked(); };
  ports.progress = [&console](const loop::ProgressState& s) {
    console.progress(fmt::format("round {}/{}  {}  {} tried  best {:.2f}x  {:.0f} s left", s.round, s.rounds, s.doing,
                                 s.evaluations, s.best, s.left.count()));
  };
  ports.note = [&console](const std::string& line) { console.note(line); };

  auto outcome = loop::improve(mep, looping, ports);
  console.clear_progress();
  if (!outcome) return fail(std::move(outcome).error());
  Improved out{std::move(*outcome), *device, *run, 0, judge.notes()};
  if (out.outcome.proof)
    if (const auto floor = judge.noise_floor()) out.noise_floor = *floor;
  return out;
}

}  // namespace hone::app
