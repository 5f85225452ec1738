#pragma once
// Who suggests changes: rules, models and people alike. A round hands a Proposer what is known and takes Templates
// back; nothing a Proposer says is trusted. The seam lives here so that the stages that fill it never see the loop.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/knowledge.hpp"
#include "core/mep.hpp"
#include "core/patch_limits.hpp"
#include "core/template.hpp"
#include "core/verdict.hpp"

namespace hone {

/// The best variant proven so far; at first K(0) itself.
struct Incumbent {
  Variant variant;
  std::string template_name;  // empty for K(0)
  std::string proposer;
  Schedule schedule;  // of its template, when it had one
  Configuration configuration;
  double speedup = 1;          // against K(0)
  std::string rationale = {};  // of its template
};

/// What became of a template of an earlier round.
struct Attempt {
  int round = 0;
  std::string proposer, template_name, rationale;
  Schedule schedule;
  Configuration best;   // of its search; empty when nothing ran
  std::string fate;     // "faster", "not faster", or the name of the verdict that ended it
  std::string reason;   // evidence in words; without values for held-out workloads
  double speedup = 0;   // screened, against K(0); 0 when nothing ran
  double of_least = 0;  // share of its time that is the least possible; 0 when that is not known
  Nanoseconds time{0};  // screened; the figure over the tune workloads
};

/// A template that works, as a base for the next change. All times are screened ones, so that they compare.
struct Parent {
  Template made_of;
  std::string proposer;
  Configuration configuration;  // the best of its search
  Nanoseconds time{0};
  bool is_incumbent = false;
  std::vector<std::string> learned;  // what its search saw, a sentence each
};

/// What can be told of the task before anything is tried: a line each, with its evidence.
struct Briefing {
  std::vector<std::string> device;  // what it can do at best, and how it runs work-items
  std::vector<std::string> loops;   // of K(0), by the names that schedules take
  std::vector<std::string> moves;   // what each rule offers here, and why others decline
};

/// Everything a proposal may be based on.
struct RoundContext {
  Mep mep;  // held-out workloads are taken out before a proposer sees it
  DeviceInfo device;
  Incumbent incumbent;
  Profile profile;  // of the incumbent
  std::vector<Suggestion> suggestions;
  std::vector<Pattern> patterns;
  std::vector<Attempt> tried;
  PatchLimits limits;  // what can go back into the application; proposals outside of it are not judged
  int round = 0;
  std::size_t limit = 3;  // templates wanted at most
  std::size_t slot = 1;   // of the round: which question this is, for proposers that are asked one by one
  std::size_t slots = 3;
  Briefing briefing = {};
  std::vector<Parent> parents = {};  // the incumbent first, unless that is K(0)
  Nanoseconds original_time{0};      // of K(0), screened: the one baseline of all times here
  std::string budget_left = {};      // "41 s of 60 s"
};

/// A template none of whose configurations worked, with the verdict that stands for the rest.
struct Fault {
  Template proposed;
  Configuration configuration;
  std::string source;  // of the variant that failed
  Verdict verdict;
};

class Proposer {
 public:
  virtual ~Proposer() = default;
  virtual std::string name() const = 0;  // "rules", "person", "model:NAME"
  virtual Result<std::vector<Template>> propose(const RoundContext& context) = 0;
  /// A template in the place of one that failed; nothing when there is no remedy.
  virtual Result<std::optional<Template>> repair(const RoundContext& context, const Fault& fault) = 0;
  /// Why there is not more to propose, one sentence each, for the summary: "lanes: get_global_id(0) is not contiguous".
  virtual std::vector<std::string> declined() const = 0;
  /// Its answers are tried one by one, each before the next question: it learns from them.
  virtual bool answers_one_by_one() const { return false; }
  /// It waits for somebody elsewhere, so it can be asked while this machine measures. See base/aside.hpp.
  virtual bool waits_elsewhere() const { return false; }
  /// It may have something in a later round even though this one brought nothing.
  virtual bool has_more() const { return false; }
};

}  // namespace hone
