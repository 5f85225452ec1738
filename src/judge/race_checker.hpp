#pragma once
// A device that watches every access: races, out-of-bounds accesses and divergent barriers that other devices let pass.
// Far too slow for real sizes, so it is given a small problem.

#include <optional>
#include <string>

#include "base/result.hpp"
#include "core/launches.hpp"
#include "core/template.hpp"

namespace hone::judge {

class RaceChecker {
 public:
  virtual ~RaceChecker() = default;
  /// The first finding in words, or nothing. An Error says why this variant could not be watched.
  virtual Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) = 0;
  /// A look at a larger problem by who sees more than it is there for: some groups only, and races beside undefined
  /// operations. What it says counts only where it has nothing to say of the original.
  virtual Result<std::optional<std::string>> glance(const Variant& variant, const Problem& problem) {
    return watch(variant, problem);
  }
  /// Who watches, for sentences.
  virtual std::string_view name() const { return "oclgrind"; }
};

/// A small version of the workload for this variant: its size scalars are made smaller while the contract holds and
/// each launch keeps a full group and a remainder in every dimension that had them.
Workload shrink(const Mep& mep, const Workload& workload, const Variant& variant, const DeviceInfo& device);

}  // namespace hone::judge
