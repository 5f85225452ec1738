#pragma once
// Templates from rules alone. In: the lifted K(0), the Mep and the device. Out: a few schedules with their spaces and
// launches, the most promising first, and for every rule that does not apply the reason.

#include <map>
#include <string>
#include <vector>

#include "core/proposer.hpp"
#include "rules/schedule.hpp"

namespace hone::rules {

struct Proposals {
  std::vector<Template> templates;
  std::vector<std::string> declined;  // "lanes: no access is contiguous along any dimension"
};

/// Within the limits: where a launch must stay, schedules `keep` it and no work-group is asked for.
Proposals propose(const LiftedKernel& lifted, const DeviceInfo& device, const PatchLimits& limits = {});

/// Fills the proposer seam. Each round gets the templates that were not tried yet, those that paid before on this
/// device first.
class RulesProposer : public Proposer {
 public:
  explicit RulesProposer(LiftedKernel lifted) : lifted_(std::move(lifted)) {}
  std::string name() const override { return "rules"; }
  Result<std::vector<Template>> propose(const RoundContext& context) override;
  /// A schedule is what it is: there is nothing to mend.
  Result<std::optional<Template>> repair(const RoundContext&, const Fault&) override {
    return std::optional<Template>();
  }
  std::vector<std::string> declined() const override { return declined_; }

 private:
  LiftedKernel lifted_;
  std::vector<std::string> declined_;
};

}  // namespace hone::rules
