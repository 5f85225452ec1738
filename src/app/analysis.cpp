#include "app/analysis.hpp"

#include "affine/view.hpp"
#include "app/instantiate.hpp"
#include "loop/suggest.hpp"

namespace hone::app {
namespace {

/// GB/s at which the data of this variant can move at best; 0 when that is not known.
double ceiling_of(const Profile& profile, judge::SpeedLimit* speed) {
  const auto bytes = profile.numbers.find("compulsory_bytes");
  if (speed == nullptr || bytes == profile.numbers.end() || bytes->second < 1) return 0;
  const auto least = speed->least_time(Bytes{static_cast<std::uint64_t>(bytes->second)});
  return least && least->count() > 0 ? bytes->second / least->count() : 0;
}

}  // namespace

loop::Advice analyse_variant(const Mep& mep, const Variant& variant, const Profile& profile, const DeviceInfo& device,
                             judge::SpeedLimit* speed) {
  auto changed = mep;
  changed.source = variant.source;
  changed.options = variant.options;
  const auto lifted = lift_kernel(changed);
  if (!lifted) return {};
  const auto kernel = ir::find_function(lifted->unit, lifted->kernel);
  if (!kernel) return {};
  const auto view = affine::analyse(lifted->unit, kernel);
  return {loop::suggest(view, profile, device, ceiling_of(profile, speed)), loop::access_patterns(view)};
}

}  // namespace hone::app
