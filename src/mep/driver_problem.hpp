#pragma once
// problem.txt: a Mep with every size and value worked out, one line each, for a driver that knows no expressions. The
// format is described in assets/driver/problem.h, next to its only reader.

#include <string>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::mep {

/// The contents that expected.json and problem.txt speak of.
inline constexpr std::uint64_t kDriverSeed = 1;

/// `variant` is what is launched: K(0) itself, or a winner on the same workloads.
Result<std::string> problem_text(const Mep& mep, const Variant& variant, const DeviceInfo& device);

}  // namespace hone::mep
