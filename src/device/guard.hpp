#pragma once
// Zones before and after every buffer that no kernel may write.

#include <cstdint>
#include <vector>

namespace hone::device {

/// Wide enough that a row too many of a usual matrix lands in it.
inline constexpr std::size_t kGuardBytes = std::size_t{1} << 16U;
/// What a zone of that size holds: it differs from byte to byte, so that no constant written over it goes unseen.
const std::vector<std::uint8_t>& guard_zone(std::size_t size);

}  // namespace hone::device
