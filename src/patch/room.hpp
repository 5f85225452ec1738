#pragma once
// Host programs read a kernel's file into an array, or ask for so many bytes of it: a text that is longer arrives cut
// off and does not build. In: the tree and the file that a kernel stands in. Out: the least that somebody there reads
// of a file.

#include <optional>

#include "core/format.hpp"
#include "core/patch_limits.hpp"
#include "patch/host_index.hpp"

namespace hone::patch {

/// Nothing where nobody near the file reads a constant number of bytes that it fits into today.
std::optional<TextRoom> room_of(const HostIndex& index, const std::string& file, std::size_t present);

/// E-ROOM when a file has grown out of its room.
Status fits(const std::vector<TextRoom>& rooms, const Files& after);

}  // namespace hone::patch
