#pragma once
// Both forms of a Template answer instantiate(Configuration): source templates by core/, schedules by rules/ over the
// lifted kernel.

#include <memory>

#include "core/mep.hpp"
#include "core/template.hpp"
#include "rules/schedule.hpp"

namespace hone::app {

/// K(0) lifted under the MEP's own defines: what rules work on. Held-out workloads are not in it.
Result<rules::LiftedKernel> lift_kernel(const Mep& mep);

class Instantiator {
 public:
  /// Lifts once; a kernel that cannot be lifted still serves source templates.
  explicit Instantiator(const Mep& mep);
  const Result<rules::LiftedKernel>& lifted() const { return *lifted_; }
  Result<Variant> operator()(const Template& proposed, const Configuration& configuration) const;

 private:
  std::vector<std::string> options_;
  std::shared_ptr<const Result<rules::LiftedKernel>> lifted_;
};

}  // namespace hone::app
