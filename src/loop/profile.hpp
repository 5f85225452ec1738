#pragma once
// m(x): what is known of a variant beside its time, read off the problem it solves. Pure.

#include <map>
#include <string>

#include "core/device_session.hpp"
#include "core/knowledge.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::loop {

/// On the first tune workload. `least`: the least possible time by workload, where it is known.
Profile profile_of(const Mep& mep, const Variant& variant, const DeviceInfo& device, Nanoseconds time,
                   const std::map<std::string, Nanoseconds>& least);

}  // namespace hone::loop
