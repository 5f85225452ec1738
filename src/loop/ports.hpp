#pragma once
// What the loop needs from outside: somebody who judges, somebody who makes variants, a log, a clock, a terminal. app/
// joins them; tests use plain fakes.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/aside.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "core/confirmation.hpp"
#include "core/device_session.hpp"
#include "core/knowledge.hpp"
#include "core/proposer.hpp"
#include "core/template.hpp"
#include "core/time_spent.hpp"
#include "core/trial_log.hpp"
#include "core/verdict.hpp"
#include "patterns/patterns.hpp"

namespace hone::loop {

/// What a quick look at a variant gave. `times` has one entry per tune workload when the verdict is Timed.
struct Screened {
  Verdict verdict;
  std::map<std::string, Timed> times;
  bool censored = false;  // stopped early: slower than this, by how much is not known
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual const DeviceInfo& device() const = 0;
  /// `incumbent`: its median time by workload, for stopping early; may be empty.
  virtual Result<Screened> screen(const Variant& variant, const std::map<std::string, Nanoseconds>& incumbent) = 0;
  virtual Result<Confirmation> confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) = 0;
  /// These will be screened soon: a chance to build them together.
  virtual void prepare(const std::vector<Variant>& variants) = 0;
};

/// What is read off a variant: how its accesses lie, and what that suggests.
struct Advice {
  std::vector<Suggestion> suggestions;
  std::vector<std::string> access_patterns;
};

/// Everything a person watching wants to know.
struct ProgressState {
  int round = 0, rounds = 0;  // 0 rounds: as many as the budget lets
  std::string doing;          // "tuning lanes+merge", "confirming"
  std::size_t evaluations = 0;
  std::size_t failures = 0;
  double best = 1;  // screened speedup so far against K(0)
  double done = 0;  // share of the budget, 0 to 1
  Seconds elapsed{0}, left{0};
};

struct Ports {
  Evaluator* evaluator = nullptr;
  TrialLog* log = nullptr;
  std::vector<Proposer*> proposers;
  std::function<Result<Variant>(const Template&, const Configuration&)> instantiate;
  /// Asked once for each incumbent.
  std::function<Advice(const Variant&, const Profile&)> analyse;
  std::function<std::optional<Pattern>(const Incumbent&, const Comparison&, const std::string& trial)> pattern_of;
  Briefing briefing = {};                   // what proposers are told of the task
  patterns::PatternUses pattern_uses = {};  // how patterns fared that answers followed
  std::function<Seconds()> now;
  TimeLedger* ledger = nullptr;  // may be absent
  std::function<bool()> stop;    // Ctrl-C: finish what is being measured, then end
  /// Where proposers wait that wait for somebody elsewhere; without it they are asked between measurements.
  Aside* aside = nullptr;
  /// Asked between measurements: whether an answer is there. A recording remembers when it was.
  std::function<bool(bool is_there)> arrived = [](bool is_there) { return is_there; };
  /// The answer under way is not wanted any more.
  std::function<void()> leave = [] {};
  std::function<void(const ProgressState&)> progress;
  std::function<void(const std::string&)> note;
};

}  // namespace hone::loop
