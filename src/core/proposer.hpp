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
};

}  // namespace hone
