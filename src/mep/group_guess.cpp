#include "mep/group_guess.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "ir/rewrite.hpp"

namespace hone::mep {
namespace {

constexpr std::int64_t kMostItems = 1024;

/// Of arrays by name; nothing of a name that several have.
std::map<std::string, std::vector<std::int64_t>> extents_in(const ir::NodePtr& kernel) {
  std::map<std::string, std::vector<std::int64_t>> out;
  ir::for_each(kernel, [&](const ir::NodePtr& node) {
    if (node->kind != ir::Kind::Variable || node->type.extents.empty()) return;
    std::vector<std::int64_t> extents(node->type.extents.begin(), node->type.extents.end());
    const bool known = std::ranges::all_of(extents, [](std::int64_t extent) { return extent > 0; });
    const auto [at, is_new] = out.emplace(node->text, known ? extents : std::vector<std::int64_t>{});
    if (!is_new) at->second.clear();
  });
  return out;
}

/// The extent along which an index moves by `stride` elements; 0 when there is none.
std::int64_t extent_along(const std::vector<std::int64_t>& extents, std::int64_t stride) {
  std::int64_t step = 1;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    // One more than an even number keeps columns out of one bank.
    if (step == stride) return *extent > 2 && *extent % 2 == 1 && extents.size() > 1 ? *extent - 1 : *extent;
    step *= *extent;
  }
  return 0;
}

}  // namespace

std::vector<std::int64_t> group_by_arrays(const ir::NodePtr& kernel, const affine::View& view) {
  const auto arrays = extents_in(kernel);
  std::vector<std::int64_t> out(static_cast<std::size_t>(std::max(view.dimensions, 0)), 0);
  for (const auto& access : view.accesses) {
    const auto array = arrays.find(access.array);
    if (access.space != ir::AddressSpace::Local || array == arrays.end()) continue;
    for (std::size_t d = 0; d < out.size(); ++d) {
      const auto stride = affine::constant_stride(access, affine::local_item(static_cast<int>(d)));
      const auto extent = stride && *stride > 0 ? extent_along(array->second, *stride) : 0;
      if (extent > 0) out[d] = out[d] == 0 ? extent : std::min(out[d], extent);
    }
  }
  std::int64_t items = 1;
  for (const auto size : out) items *= size;
  return items > 0 && items <= kMostItems ? out : std::vector<std::int64_t>{};
}

}  // namespace hone::mep
