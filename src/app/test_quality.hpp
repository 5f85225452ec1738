#pragma once
// hone check --mutants and --explain: how well a MEP tests its kernel, and how what it says is known.

#include <algorithm>
#include <vector>

#include "app/commands.hpp"
#include "app/setting.hpp"
#include "mep/mutants.hpp"

namespace hone::app {

/// Of small faults put into K(0), how many some workload tells from it.
struct MutantScore {
  std::vector<mep::Mutant> mutants;
  std::vector<bool> killed;  // by their numbers, which begin with 1
  bool is_killed(const mep::Mutant& mutant) const { return killed[static_cast<std::size_t>(mutant.number) - 1]; }
  int count() const { return static_cast<int>(std::ranges::count(killed, true)); }
};
Result<MutantScore> mutant_score(const Mep& mep, DeviceSessions& sessions);

/// Puts faults into K(0), lists those that no workload tells from it, and writes the score into the MEP's fidelity.
Result<Answer> check_mutants(const std::string& folder, const Mep& mep, const DeviceChoice& device);

/// Arguments, extents, accesses, where each value is from, and what would raise the fidelity.
Result<Answer> explain(const Mep& mep);

}  // namespace hone::app
