#include "core/confirmation.hpp"

#include <nlohmann/json.hpp>

namespace hone {

nlohmann::json as_json(const Comparison& comparison) {
  nlohmann::json out = {{"call", name_of(comparison.call)}, {"pairs", comparison.pairs}};
  if (comparison.call == Comparison::Call::Busy) return out;
  out["ratio"] = comparison.ratio;
  out["low"] = comparison.low;
  out["high"] = comparison.high;
  out["confidence"] = comparison.confidence;
  // Over several workloads there is a ratio and no time.
  if (comparison.challenger > Nanoseconds(0)) {
    out["before_ns"] = comparison.incumbent.count();
    out["after_ns"] = comparison.challenger.count();
  }
  return out;
}

nlohmann::json as_json(const WorkloadComparison& one) {
  return {{"name", one.workload}, {"role", name_of(one.role)}, {"comparison", as_json(one.comparison)}};
}

}  // namespace hone
