#pragma once
// What a kernel means, independent of any compiler or OpenCL runtime. In: a lifted unit, arguments, geometry. Out: the
// buffers as the kernel leaves them, or the first thing it does that no kernel may do. A work-group runs statement by
// statement, all its work-items together, those on another path masked out; so a barrier only has to check that
// everybody is there. Groups run one after the other. It is slow and meant for small sizes.
//
//   Bytes a = ..., out(4 * n);
//   const auto finding = run(unit, "scale", {&a, &out, std::int64_t{n}}, {{n, 1, 1}, {8, 1, 1}});
//   if (finding) say(finding->line, finding->sentence);   // out is then of no use
//
// What it does not know (structs, images, pointers kept in memory) is Unsupported: that says nothing of the kernel.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/unit.hpp"

namespace hone::interpreter {

/// Bytes of a buffer, changed in place. Two arguments may be the same buffer.
using Bytes = std::vector<std::uint8_t>;
struct LocalBytes {
  std::size_t size = 0;
};
/// In the order of the kernel's parameters.
using Argument = std::variant<Bytes*, std::int64_t, double, LocalBytes>;

/// Every global size is a multiple of its local size.
struct Geometry {
  std::array<std::size_t, 3> global = {1, 1, 1}, local = {1, 1, 1}, offset = {0, 0, 0};
};

struct Options {
  /// Two work-items touch one byte between barriers and one of them writes. A fence orders only the memory it names.
  bool races = true;
  /// Two work-items that store the same value to one place race as well (`*changed = 1` is common in real programs).
  bool equal_stores_race = true;
  /// A signed integer overflowed on the way to an index or a pointer.
  bool overflow_in_indices = true;
  /// So many groups, spread over all of them; 0: every one. What the others would write is then not there.
  std::size_t most_groups = 0;
  /// Statements and loop turns of all work-items together, before it is Unsupported to go on.
  std::uint64_t most_steps = 200'000'000;
  /// Asked now and then whether that was enough; then too it is Unsupported to go on. May be empty.
  std::function<bool()> enough = {};
};

struct Finding {
  enum class Kind {
    Race,
    OutOfBounds,
    Undefined,  ///< integer division by zero, a shift by more than the width, an index that overflowed, local memory
                ///< or a variable read before anybody wrote it, a vector at an address that does not suit it
    DivergentBarrier,
    Unsupported,
  };
  Kind kind = Kind::Unsupported;
  std::size_t line = 0;  ///< of the unit's text; 0 when the place has no bytes of its own
  std::string sentence;
};
std::string_view name_of(Finding::Kind kind);

/// Nothing when the kernel ran to its end.
std::optional<Finding> run(const ir::Unit& unit, const std::string& kernel, const std::vector<Argument>& arguments,
                           const Geometry& geometry, const Options& options = {});

}  // namespace hone::interpreter
