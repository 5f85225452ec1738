#pragma once
// The least time a workload can take on a device: the bytes that must move and the operations that must be done, at the
// rates measured of the device. What must be done is what K(0) does: every buffer once, and its floating-point
// operations where its loops can be counted. A clever kernel may do with less, so this is a mark to measure by and not
// a proof.

#include <map>
#include <optional>
#include <string>

#include "affine/view.hpp"
#include "core/ceilings.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"

namespace hone::loop {

/// Floating-point operations of one launch of a kernel, by scalar type ("float"). `scalars`: its integer arguments;
/// `global`: its sizes. Work under a condition on data is left out. Nothing when a loop cannot be counted.
std::optional<std::map<std::string, double>> operations_of(const ir::Unit& unit, const std::string& kernel,
                                                           const std::map<std::string, std::int64_t>& scalars,
                                                           const std::vector<std::size_t>& global);

/// What a workload needs at least, and how long each part of it takes at best.
struct Needs {
  Bytes moved{0};
  std::map<std::string, double> operations;  // by scalar type; empty where they cannot be counted
  Nanoseconds moving{0}, computing{0};       // 0 where no rate was measured
};
/// By tune workload. `unit`: K(0) lifted; null when it could not be.
std::map<std::string, Needs> needs_of(const Mep& mep, const ir::Unit* unit, const DeviceInfo& device,
                                      const Ceilings& ceilings);

/// By tune workload; a workload of which nothing is known is absent. `unit`: K(0) lifted; null when it could not be.
std::map<std::string, Nanoseconds> least_times(const Mep& mep, const ir::Unit* unit, const DeviceInfo& device,
                                               const Ceilings& ceilings);

}  // namespace hone::loop
