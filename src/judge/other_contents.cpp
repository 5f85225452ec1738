// Candidates on contents the MEP does not declare, at the size that has the edges.

#include "core/sized_options.hpp"
#include "judge/case.hpp"

namespace hone::judge {

/// Whole numbers may be indices: what K(0) does with others is asked of the device that watches every access.
std::optional<std::string> Judge::undefined_on(const ContentsShape& shape, const Workload& workload) {
  if (shape.checks_definedness) {
    if (ports_.races == nullptr) return "no device watches its accesses";
    auto device = reference_.device();
    if (!device) return device.error().message();
    const auto k0 = original(mep_);
    const auto small = shrink(mep_, workload, k0, *device);
    auto problem = concretise(mep_, small, {}, *device, options_.seed);
    if (!problem) return problem.error().message();
    fill_as(shape, *problem);
    auto found = ports_.races->watch(at_sizes(k0, small), *problem);
    if (!found) return found.error().message();
    if (*found) return **found;
  }
  const auto expected = reference_.expected({&workload, options_.seed, std::nullopt, &shape});
  if (!expected) return expected.error().message();
  return std::nullopt;
}

Checked<std::monostate> Judge::try_other_contents(const Built& built, const Variant& variant) {
  if (!on(Defence::OtherContents)) return {};
  const auto* workload = find_workload(mep_, Role::Awkward);
  if (workload == nullptr) workload = find_workload(mep_, Role::Tune);
  if (workload == nullptr) return {};
  if (!shapes_) {
    shapes_ = other_contents(mep_);
    std::erase_if(*shapes_, [&](const ContentsShape& shape) { return undefined_on(shape, *workload).has_value(); });
    for (const auto& shape : *shapes_) shapes_tried_.push_back(shape.name);
  }
  for (const auto& shape : *shapes_) {
    auto checked =
        check(session_, built, variant, {{workload, options_.seed, std::nullopt, &shape}, Defence::OtherContents, 1});
    if (!checked) return stop(std::move(checked).error());
  }
  return {};
}

}  // namespace hone::judge
