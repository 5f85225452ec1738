#pragma once
// A small interpreter of the kernel language: what a tree means, independent of any compiler or OpenCL runtime. A
// work-group runs statement by statement, all its work-items together, those on another path masked out; so a barrier
// only has to check that everybody is there. Structs, images and atomics across work-groups are not its business and
// are refused.

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::testing {

/// Bytes of a buffer, changed in place.
using Bytes = std::vector<std::uint8_t>;
struct LocalBytes {
  std::size_t size = 0;
};
/// In the order of the kernel's parameters.
using KernelArgument = std::variant<Bytes*, std::int64_t, double, LocalBytes>;

struct Range {
  std::array<std::size_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
};

/// E-INTERPRET names what was refused: out of bounds, a divergent barrier, an unknown function.
Status interpret(const ir::Unit& unit, const std::string& kernel, const std::vector<KernelArgument>& arguments,
                 const Range& range);

}  // namespace hone::testing
