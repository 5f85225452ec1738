#include "app/transformations.hpp"

#include "app/instantiate.hpp"
#include "ir/transformations.hpp"

namespace hone::app {

std::set<std::string> transformations_of(const rules::LiftedKernel& original, const Template& value) {
  std::set<std::string> out;
  for (const auto& step : value.schedule)
    if (step.rule != "kernel" && step.rule != "keep") out.insert("the rule " + step.rule);
  if (!value.launches.empty() && value.schedule.empty()) out.insert("another launch");
  if (!value.schedule.empty()) return out;
  const auto variant = instantiate_source(value, default_configuration(value.space));
  auto changed = original.mep;
  changed.source = variant ? variant->source : value.source;
  const auto rewritten = lift_kernel(changed);
  if (rewritten) out.merge(ir::transformations(original.unit, rewritten->unit));
  return out;
}

}  // namespace hone::app
