#pragma once
// Device source as a list of top-level declarations. Comparing the chunks of K(0) with those of the winner tells which
// kernel changed, which helper is new, and which shared one must be cloned instead of edited.

#include <string>
#include <string_view>
#include <vector>

#include "core/origin.hpp"

namespace hone::patch {

struct Chunk {
  enum class Kind { Function, Macro, Other };
  Kind kind = Kind::Other;
  std::string name;      // of the function, the macro, the type or the variable; may be empty
  bool kernel = false;   // the definition of a __kernel or __global__
  ByteRange range;       // from the first to the last token
  std::size_t lead = 0;  // where the comments directly above begin; equals range.begin when there are none
};

/// In source order. A top-level #if ... #endif is one chunk; so is every other directive. Namespaces and extern "C" are
/// looked into: their beginnings and ends are chunks without a name.
std::vector<Chunk> chunks_of(std::string_view source);

/// The tokens of a chunk separated by single spaces: equal when only layout or comments differ.
std::string essence(std::string_view source, ByteRange range);

}  // namespace hone::patch
