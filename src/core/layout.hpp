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

/// A scalar, a vector or an array of these within a struct, however deep: what a fill or a value is given for.
struct FlatField {
  std::string path;  // "size", "origin.x" of a struct within, "corner[1].x" of an array of structs
  std::size_t offset = 0;
  ElementType element;
  std::size_t count = 1;  // elements of the array
};
/// Of a built-in type one, without a path.
Result<std::vector<FlatField>> flat_fields(const std::string& type, const std::vector<StructSpec>& structs);

/// One value in every lane of a built-in type.
Result<std::vector<std::uint8_t>> encode(const Value& value, const std::string& type);
/// A vector ("x", "y", ... or "s0", ...) or struct from its fields ("n", "origin.x", "weights[2]"); what is not given
/// is zero, what is given for an array or a vector as a whole is in all of it.
Result<std::vector<std::uint8_t>> encode(const std::map<std::string, Value>& fields, const std::string& type,
                                         const std::vector<StructSpec>& structs);

}  // namespace hone
