#pragma once
// What proposers are told of the task before anything is tried: the device as it was measured, the loops of K(0) by the
// names that schedules take, and what each rule may do to it.

#include "core/ceilings.hpp"
#include "core/proposer.hpp"
#include "rules/schedule.hpp"

namespace hone::app {

/// `lifted`: null when K(0) could not be lifted; then nothing is said of loops and rules.
Briefing brief(const Mep& mep, const rules::LiftedKernel* lifted, const DeviceInfo& device, const Ceilings& ceilings,
               const PatchLimits& limits);

}  // namespace hone::app
