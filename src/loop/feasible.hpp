#pragma once
// The feasible region of a template: its own constraints, and the device's limits on what it says it uses, as
// constraints over parameters alone.

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::loop {

/// `device.*` and workload scalars become numbers (one copy of a constraint per tune workload that it depends on).
/// E-TEMPLATE when a name is left that is neither a parameter nor known.
Result<Space> feasible_space(const Template& proposed, const Mep& mep, const DeviceInfo& device);

}  // namespace hone::loop
