// Candidates on contents the MEP does not declare, at the size that has the edges and at those they are tuned for; and
// at sizes that their own text names.

#include <algorithm>
#include <iterator>
#include <set>

#include "core/sized_options.hpp"
#include "core/workload_sizes.hpp"
#include "judge/case.hpp"
#include "judge/named_sizes.hpp"

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
    const auto found = ports_.races->watch(at_sizes(k0, small), *problem);
    if (found && *found) return **found;
    // Some kernels are too much for the device that watches; those that are interpreted are watched by that.
    const auto undefined =
        ports_.operations == nullptr ? found : ports_.operations->watch(at_sizes(k0, small), *problem);
    if (!found && !undefined) return found.error().message();
    if (undefined && *undefined) return **undefined;
  }
  const auto expected = reference_.expected({&workload, options_.seed, std::nullopt, &shape});
  if (!expected) return expected.error().message();
  return std::nullopt;
}

constexpr std::int64_t kModest = std::int64_t{1} << 18U;

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
  std::set<std::string> defined;
  if (edges != nullptr) {
    // What scalars do is no question of size.
    const auto modest = smaller_workload(mep_, *edges, kModest);
    for (const auto& shape : other_contents(mep_, *edges))
      if (keep_defined(shape, shape.scalars.empty() ? *edges : modest)) defined.insert(shape.name);
  }
  for (const auto* tune : workloads(Role::Tune)) {
    auto shapes = other_contents(mep_, *tune);
    std::erase_if(shapes, [&](const ContentsShape& shape) { return !defined.contains(shape.name); });
    if (tune != edges && !shapes.empty() && !keep_defined(all_at_once(shapes), *tune))
      keep_defined(shapes.front(), *tune);
  }
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

/// Whether whoever interprets, where somebody does, has nothing to say of K(0) in some groups.
bool Judge::is_defined_at(const Workload& workload) {
  auto device = reference_.device();
  if (!device || ports_.operations == nullptr) return true;
  const auto problem = concretise(mep_, workload, {}, *device, options_.seed);
  if (!problem) return false;
  const auto found = ports_.operations->glance(at_sizes(original(mep_), workload), *problem);
  return !found || !*found;
}

/// K(0) is asked whether it is defined there only about a candidate that is not as it is.
Checked<std::size_t> Judge::try_named_sizes(const Built& built, const Variant& variant) {
  std::size_t tried = 0;
  if (!on(Defence::NamedSizes)) return tried;
  const auto text = text_with_sizes(variant), own = text_with_sizes(original(mep_));
  auto sizes = workloads_with(mep_, named_sizes(text, own));
  std::ranges::move(turned_workloads(mep_), std::back_inserter(sizes));
  for (const auto& workload : sizes) {
    const Case test{{&workload, options_.seed}, Defence::NamedSizes, 1};
    if (!reference_.expected(test)) continue;
    auto checked = check(session_, built, variant, test);
    if (!checked && is_defined_at(workload)) return stop(std::move(checked).error());
    tried += checked ? 1 : 0;
  }
  const auto device = reference_.device();
  if (!device || ports_.operations == nullptr) return tried;
  for (const auto& workload : workloads_with(mep_, behind_arrays(text, own)))
    if (auto found = found_at(workload, variant, *device))
      return stop(Verdict(Unsafe{std::string(name_of(Defence::NamedSizes)), *found + ", on " + workload.name}));
  return tried;
}

}  // namespace hone::judge
