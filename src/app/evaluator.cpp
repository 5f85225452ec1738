#include "app/evaluator.hpp"

#include "core/launches.hpp"
#include "core/layout.hpp"

namespace hone::app {

Result<loop::Screened> JudgeEvaluator::screen(const Variant& variant,
                                              const std::map<std::string, Nanoseconds>& incumbent) {
  auto judgement = judge_.screen(variant, incumbent);
  if (!judgement) return fail(std::move(judgement).error());
  return loop::Screened{std::move(judgement->verdict), std::move(judgement->times), judgement->censored};
}

Result<Profile> JudgeEvaluator::profile(const Variant& variant, const Timed& timed) {
  Profile out;
  out.time = median(timed.span);
  const auto* workload = find_workload(judge_.mep(), Role::Tune);
  if (workload == nullptr) return out;
  const auto problem = concretise(judge_.mep(), *workload, variant.launches, device_, 1);
  if (!problem) return fail(problem.error());
  double bytes = 0;
  for (const auto& buffer : problem->buffers)
    if (const auto type = element_type(buffer.type)) bytes += static_cast<double>(buffer.count * type->bytes());
  // Every buffer once is what must move at least; more traffic than that is what a better kernel saves.
  out.numbers["compulsory_bytes"] = bytes;
  out.numbers["compulsory_gbytes_per_s"] = bytes / std::max(out.time.count(), 1.0);
  out.numbers["launches"] = static_cast<double>(problem->launches.size());
  double items = 0;
  for (const auto& launch : problem->launches) {
    double volume = 1;
    for (const auto size : launch.global) volume *= static_cast<double>(size);
    items += volume;
  }
  out.numbers["work_items"] = items;
  return out;
}

}  // namespace hone::app
