#pragma once
// What devices say of themselves, taken to be what is usual: sizes that hosts compute with. Nothing that follows from
// such a number was seen.

#include <cstdint>
#include <string_view>

#include "source/host/value.hpp"

namespace hone::host {

/// By the number of the question: CL_DEVICE_MAX_WORK_GROUP_SIZE is 0x1004. Unknown for what is asked for no size.
HostValue device_fact(std::int64_t what);
/// By the name in `getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()`.
HostValue device_fact(std::string_view asked);

}  // namespace hone::host
