#pragma once
// Which mutants of K(0) the workloads tell from it. In: one program with all of them, switched by a scalar. Out: for
// each whether some workload killed it: another output, a crash, or no end.

#include <string>
#include <vector>

#include "core/device_session.hpp"
#include "core/mep.hpp"

namespace hone::judge {

/// True for each number from 1 on that was killed. `mep` is the mutated program, whose workloads set `scalar` to 0.
/// E-K0 when it does not build or run even so.
Result<std::vector<bool>> killed_mutants(const Mep& mep, const std::string& scalar, std::size_t mutants,
                                         DeviceSessions& sessions);

}  // namespace hone::judge
