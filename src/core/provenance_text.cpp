#include "core/provenance_text.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace hone {
namespace {

constexpr std::array<std::pair<Provenance::Kind, std::string_view>, 4> provenance_names = {
    {{Provenance::Kind::Seen, "seen"},
     {Provenance::Kind::Inferred, "inferred"},
     {Provenance::Kind::Guessed, "guessed"},
     {Provenance::Kind::Set, "set"}}};

int doubt_in(const Provenance& provenance) {
  if (provenance.kind == Provenance::Kind::Guessed) return 2;
  return provenance.kind == Provenance::Kind::Inferred ? 1 : 0;
}

}  // namespace

std::string_view name_of(Provenance::Kind kind) {
  for (const auto& [known, name] : provenance_names)
    if (known == kind) return name;
  return "guessed";
}

std::string print(const Provenance& provenance) {
  const std::string name(name_of(provenance.kind));
  return provenance.place.empty() ? name : name + " " + provenance.place;
}

std::optional<Provenance> provenance_from(std::string_view text) {
  const auto space = text.find(' ');
  for (const auto& [kind, name] : provenance_names)
    if (text.substr(0, space) == name)
      return Provenance{kind, space == std::string_view::npos ? "" : std::string(trim(text.substr(space)))};
  return std::nullopt;
}

bool is_proof(const Provenance& provenance) {
  return provenance.kind == Provenance::Kind::Seen || provenance.kind == Provenance::Kind::Set;
}

Provenance weaker(const Provenance& a, const Provenance& b) { return doubt_in(b) > doubt_in(a) ? b : a; }

}  // namespace hone
