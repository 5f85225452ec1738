#pragma once
// hone check --mutants and --explain: how well a MEP tests its kernel, and how what it says is known.

#include "app/commands.hpp"
#include "app/setting.hpp"

namespace hone::app {

/// Puts faults into K(0), lists those that no workload tells from it, and writes the score into the MEP's fidelity.
Result<Answer> check_mutants(const std::string& folder, const Mep& mep, const DeviceChoice& device);

/// Arguments, extents, accesses, where each value is from, and what would raise the fidelity.
Result<Answer> explain(const Mep& mep);

}  // namespace hone::app
