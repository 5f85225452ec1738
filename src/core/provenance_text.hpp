#pragma once
// Provenance as manifests and people read it: "seen main.c:57", "guessed".

#include <optional>
#include <string>
#include <string_view>

#include "core/provenance.hpp"

namespace hone {

std::string_view name_of(Provenance::Kind kind);  // "seen", "inferred", "guessed", "set"
std::string print(const Provenance& provenance);
/// Nothing when the first word is none of the four.
std::optional<Provenance> provenance_from(std::string_view text);

/// What a rule may take for certain: what stands in the code, or what a person stated and answers for.
bool is_proof(const Provenance& provenance);
/// The one that is worth less, for a value made of two.
Provenance weaker(const Provenance& a, const Provenance& b);

}  // namespace hone
