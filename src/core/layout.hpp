#pragma once
// Scalars, vectors and structs as the bytes a kernel argument takes, by the rules every OpenCL, CUDA and HIP ABI
// shares: natural alignment, three-lane vectors in the space of four.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"

namespace hone {

struct Layout {
  std::size_t bytes = 0, alignment = 1;
};
/// Of a built-in type or a struct of `structs`; E-TYPE when neither.
Result<Layout> layout_of(const std::string& type, const std::vector<StructSpec>& structs);

/// One value in every lane of a built-in type.
Result<std::vector<std::uint8_t>> encode(const Value& value, const std::string& type);
/// A vector ("x", "y", ... or "s0", ...) or struct from its fields; fields that are not given are zero.
Result<std::vector<std::uint8_t>> encode(const std::map<std::string, Value>& fields, const std::string& type,
                                         const std::vector<StructSpec>& structs);

}  // namespace hone
