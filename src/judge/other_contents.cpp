// Candidates on contents the MEP does not declare, at the size that has the edges and at those they are tuned for.

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

/// A candidate may look at the size before it assumes anything: at those it is tuned for they are tried too, all at
/// once, since runs of that size are dear.
std::vector<Judge::OtherContents> Judge::other_contents_of_k0() {
  std::vector<OtherContents> out;
  const auto keep_defined = [&](const ContentsShape& shape, const Workload& workload) {
    OtherContents other{shape, with_scalars_of(shape, workload)};
    if (undefined_on(other.shape, other.workload)) return false;
    out.push_back(std::move(other));
    return true;
  };
  const auto* edges = find_workload(mep_, Role::Awkward);
  if (edges == nullptr) edges = find_workload(mep_, Role::Tune);
  std::vector<ContentsShape> defined;
  if (edges != nullptr)
    for (const auto& shape : other_contents(mep_))
      if (keep_defined(shape, *edges)) defined.push_back(shape);
  if (defined.empty()) return out;
  for (const auto* tune : workloads(Role::Tune))
    if (tune != edges && !keep_defined(all_at_once(defined), *tune)) keep_defined(defined.front(), *tune);
  return out;
}

Checked<std::monostate> Judge::try_other_contents(const Built& built, const Variant& variant) {
  if (!on(Defence::OtherContents)) return {};
  if (!others_) others_ = other_contents_of_k0();
  for (const auto& [shape, workload] : *others_) {
    auto checked =
        check(session_, built, variant, {{&workload, options_.seed, std::nullopt, &shape}, Defence::OtherContents, 1});
    if (!checked) return stop(std::move(checked).error());
  }
  return {};
}

}  // namespace hone::judge
