#include "patch/shipped_form.hpp"

#include <fmt/format.h>

#include "patch/adapter_text.hpp"
#include "patch/kept_launch.hpp"
#include "patch/launch_adapter.hpp"
#include "patch/launch_bounds.hpp"
#include "patch/launch_splice.hpp"
#include "patch/revision.hpp"

namespace hone::patch {

Result<Variant> shipped_form(const Mep& mep, const PatchLimits& limits, Variant variant) {
  if (!limits.applies) return with_launch_bounds(mep, std::move(variant));
  std::vector<LaunchShape> stay;
  for (const auto& shape : variant.launches) {
    const auto* limit = limits.find(shape.kernel);
    if (keeps_geometry(shape) || limit == nullptr || limit->tier == LaunchTier::Sizes) {
      stay.push_back(shape);
      continue;
    }
    if (limit->tier == LaunchTier::Adapter) {
      stay.push_back(shape);
      if (!names_in(variant.source).contains(marker_of(shape.kernel)))
        variant.source += "\n" + marker_text(shape.kernel) + "\n";
      continue;
    }
    auto mapped = with_kept_launch(mep, shape, variant.source);
    if (!mapped)
      return fail(std::move(mapped).error().context(
          fmt::format("the launch of {} must stay as it is ({}{})", shape.kernel,
                      limit->place.empty() ? "" : limit->place + ": ", limit->reason)));
    variant.source = std::move(*mapped);
  }
  variant.launches = std::move(stay);
  return with_launch_bounds(mep, std::move(variant));
}

}  // namespace hone::patch
