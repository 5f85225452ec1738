// What Clang could not make sense of: the parts it understood are run for what they do; a launch among the tokens that
// could not be followed is said.
#include <fmt/format.h>

#include "source/host/machine.hpp"
#include "source/host/token_reader.hpp"

namespace hone::host {
namespace {
using VK = HostValue::Kind;
}  // namespace

/// An empty container that goes into code nobody could read is most often filled there.
void Machine::forget_empty(const Node& part) {
  const auto at = part.kind == Kind::Name ? locate(part) : std::nullopt;
  const auto held = at ? memory_.load(*at) : HostValue{};
  if (held.is(VK::Record) && held.text.starts_with("std::vector") && held.parts && held.parts->size &&
      held.parts->size->whole() == 0)
    memory_.store(*at, unknown("may be filled by code that Clang could not read"));
}

HostValue Machine::opaque(const Node& node) {
  HostValue last;
  for (const auto& part : node.parts) {
    forget_empty(part);
    if (part.kind < Kind::Integer) {
      exec(part);
    } else {
      last = eval(part);
    }
  }
  if (node.parts.empty() && node.text.find_first_of("(=;") != std::string::npos) {
    auto [found, is_new] = read_from_tokens_.try_emplace(&node);
    if (is_new) found->second = statements_in(node.text, node.place);
    const auto sites = trace_.sites.size();
    for (const auto& statement : found->second) last = eval(statement);
    if (names_api(node.text, /*launches_only=*/true) && trace_.sites.size() == sites &&
        !trace_.lines.contains(place_of(node))) {
      note(fmt::format("{}: a launch stands in a statement that Clang could not read", place_of(node)));
      trace_.lines.insert(place_of(node));
    }
    return last;
  }
  // T x(value) with a type nobody knows is most often the value.
  if (node.parts.size() == 1 && !last.is(VK::Unknown)) return last;
  auto out = unknown("code that Clang could not read");
  out.input = last.input;
  return out;
}

}  // namespace hone::host
