#pragma once
// What can be read off a variant, K(0) or any later incumbent: its source is lifted like a user's.

#include "core/device_session.hpp"
#include "judge/speed_limit.hpp"
#include "loop/ports.hpp"

namespace hone::app {

/// Empty where the variant cannot be lifted. `speed` may be null.
loop::Advice analyse_variant(const Mep& mep, const Variant& variant, const Profile& profile, const DeviceInfo& device,
                             judge::SpeedLimit* speed);

}  // namespace hone::app
