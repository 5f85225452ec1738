#pragma once
// What candidate source may contain, before any compiler reads it. Lexical on purpose: it must hold for text that does
// not compile too. Allow-lists for includes, pragmas, attributes and build options; whatever K(0) itself uses is
// allowed.

#include <optional>
#include <string>

#include "core/template.hpp"

namespace hone::judge {

/// Why the candidate is refused, in words; nothing when it may be built.
std::optional<std::string> gate(const Variant& candidate, const Variant& original);

}  // namespace hone::judge
