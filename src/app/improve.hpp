#pragma once
// Stage two and the rounds around it, joined: a Mep and the command line's wishes go in, the loop's outcome comes out.
// `tune` and `optimize` differ only in who proposes.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "agents/model_proposer.hpp"
#include "app/console.hpp"
#include "app/judge_setup.hpp"
#include "app/opened_model.hpp"
#include "app/setting.hpp"
#include "core/time_spent.hpp"
#include "loop/rounds.hpp"

namespace hone::app {

struct ImproveOptions {
  DeviceChoice device;
  std::string budget = "60s";
  double target = 0;        // milliseconds; 0: none
  std::size_t no_gain = 0;  // evaluations; 0: no limit
  std::string prior;        // a cache or T4 file of earlier measurements
  std::uint64_t seed = 1;
  std::string strategy = "adaptive";
  std::string check_command;           // decides whether outputs are right; empty: their types' rule
  std::vector<std::string> templates;  // folders of a person's templates
  std::vector<Template> own;           // more of them, as values
  std::string proposer = "person";     // whose they are; "agent:NAME" with --agent
  ModelChoice model;                   // asked beside the rules
  bool rules = true;
  bool plan = true;     // a model is asked for directions first
  bool direct = false;  // one question, one answer, nothing told of measurements: a model alone
  bool searched = true, repair = true, inherit = true, profile = true;  // what a comparison may leave out
  std::string recording;  // a folder; empty: in the state folder when a model is asked, else nowhere
  std::string replay;     // "": measure and ask; "all": neither; "measure": do not ask
  int rounds = 0;         // 0: as many as the budget lets
  std::size_t candidates = 4;

  void add_options(CLI::App& command);
};

/// What a cache or T4 file says, plain or compressed, as a prior.
Result<std::vector<search::Told>> load_prior(const std::string& file);

struct Improved {
  loop::Outcome outcome;
  DeviceInfo device;
  std::string run;
  std::map<std::string, Nanoseconds> least;  // the least possible time by tune workload
  std::vector<std::string> notes;
  std::string recording;  // where the run was recorded; empty: nowhere
  std::vector<agents::Citation> citations;
};
/// `limits` of the application the winner goes back into: what is outside of them is neither proposed nor measured.
Result<Improved> improve_mep(const Mep& mep, const ImproveOptions& options, Console& console, TimeLedger& ledger,
                             const PatchLimits& limits = {});
/// With a judge that is ready, where one is kept warm. Not for replays.
Result<Improved> improve_with(JudgeSetup& setup, const Mep& mep, const ImproveOptions& options, Console& console,
                              TimeLedger& ledger, const PatchLimits& limits = {});

/// The proposer of an agent's templates: "agent:NAME", where NAME is what of it may stand in a log; "person" without
/// one.
std::string agent_proposer(const std::string& name);

}  // namespace hone::app
