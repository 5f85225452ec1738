#pragma once
// A MEP that stays ready: the worker runs, K(0) is lifted, built and timed, its outputs are known, and what was proven
// is remembered. In: candidates. Out: what the judge says of them; each becomes a Trial with the name of who made it.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/instantiate.hpp"
#include "app/judge_setup.hpp"
#include "core/origin.hpp"
#include "core/proposer.hpp"
#include "core/trial_log.hpp"
#include "loop/ports.hpp"

namespace hone::app {

struct WarmWishes {
  DeviceChoice device;
  std::uint64_t seed = 1;
  std::string check_command;  // decides whether outputs are right; empty: their types' rule
};

/// A variant that Judge::prove found to be faster than K(0), and what it said.
struct ProvenVariant {
  Incumbent winner;
  Template made_of;
  Confirmation proof;
};

/// How much is done for an answer.
enum class CheckEffort {
  Look,      // as a search does: never a claim
  AsNeeded,  // a look; what it finds faster is proven
  Prove,     // whatever a look would say
};

/// What became of one candidate.
struct CheckedCandidate {
  Confirmation confirmed;
  std::optional<double> looked;  // how much faster than K(0) it was at a look; nothing when nobody looked
};

class WarmMep {
 public:
  /// `application`: the folder the kernel came from, so that candidates are judged as they will stand in it; may be
  /// empty.
  static Result<std::unique_ptr<WarmMep>> open(const std::string& folder, const std::string& application,
                                               const WarmWishes& wishes);
  const std::string& folder() const { return folder_; }
  const std::string& application() const { return application_; }
  const Mep& mep() const { return mep_; }
  const PatchLimits& limits() const { return limits_; }
  JudgeSetup& setup() { return *setup_; }
  TimeLedger& ledger() { return ledger_; }
  const rules::LiftedKernel* lifted() const { return instantiate_.lifted() ? &*instantiate_.lifted() : nullptr; }

  /// As it will ship: judged and timed is that very text.
  Result<Variant> variant_of(const Template& made_of, const Configuration& configuration) const;
  /// Every check on every workload, then against K(0): nothing else here leads to a claim.
  Result<Confirmation> prove(const Template& made_of, const Configuration& configuration, const std::string& proposer);
  /// As much of that as is needed: most candidates are wrong or slow, and a look tells.
  Result<CheckedCandidate> check(const Template& made_of, const Configuration& configuration,
                                 const std::string& proposer, CheckEffort effort);
  /// One look: what a search sees of it. Never a claim.
  Result<judge::Judgement> look(const Variant& variant);
  Profile profile(const Variant& variant, const judge::Judgement& seen);
  loop::Advice advice(const Variant& variant, const Profile& profile);
  /// What a proposer may be told before anything is tried; no held-out workload is in it.
  RoundContext told();

  /// Found proven elsewhere on this judge.
  void remember(ProvenVariant proven);
  const ProvenVariant* find(const Variant& variant) const;
  /// The fastest of all that were proven; null when none was.
  const ProvenVariant* best() const;

 private:
  WarmMep(std::string folder, std::string application, Mep mep);
  /// How much faster than K(0) it looks; nothing when it could not be timed.
  Result<std::optional<double>> speedup_of(const judge::Judgement& seen);
  Status log(const Variant& variant, const Template& made_of, const Configuration& configuration,
             const std::string& proposer, const Confirmation& confirmed, bool looked);

  std::string folder_, application_, mep_hash_, run_;
  Mep mep_;
  PatchLimits limits_;
  TimeLedger ledger_;
  Instantiator instantiate_;
  std::unique_ptr<JudgeSetup> setup_;
  std::unique_ptr<TrialLog> log_;
  std::optional<std::map<std::string, Nanoseconds>> least_;
  std::optional<judge::Judgement> original_;     // one look at K(0)
  std::map<std::string, ProvenVariant> proven_;  // by variant
};

/// What a session tells of it. Sizes that only the judge knows are left out of what is no claim.
nlohmann::json checked_json(const Confirmation& confirmed);
std::string checked_text(const Confirmation& confirmed);
nlohmann::json checked_json(const CheckedCandidate& checked);
std::string checked_text(const CheckedCandidate& checked);

}  // namespace hone::app
