// Macros that the host makes of its sizes: snprintf(options, ..., "-DLDA=%d", n). Such a macro follows its size into
// every workload. Where extents were found by reading the kernel with the macro's number in it they hold for that
// number alone: then the sizes it is made of stay what the host has, and the contract says so.

#include <fmt/format.h>

#include <algorithm>

#include "core/sized_options.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

bool extents_are_the_hosts(const Draft& draft) {
  return std::ranges::all_of(draft.mep.buffers, [&](const BufferSpec& buffer) {
    return buffer.from.kind == Provenance::Kind::Seen && !draft.guessed_extents.contains(buffer.name);
  });
}

/// What the macro is made of, in the workloads' names; nothing when no size is among them or it does not come out as
/// the value the host gives.
std::optional<Expression> follows_in(const Extraction& extraction, const Draft& draft, const Define& define) {
  const auto value = define.follows ? in_names_of(draft, extraction.host, *define.follows) : std::nullopt;
  if (!value) return std::nullopt;
  Sizes start;
  bool any = false;
  for (const auto& name : value->names()) {
    const auto found = draft.start.find(name);
    if (found == draft.start.end() || !found->second) return std::nullopt;
    start[name] = *found->second;
    any = any || draft.sizes.contains(name);
  }
  const auto number = value->evaluate_integer(environment(draft, start));
  const bool same = number && std::to_string(*number) == define.value;
  return any && (same || !draft.given.empty()) ? value : std::nullopt;
}

void keep_sizes_of(Draft& draft, const Expression& value, const Define& define) {
  for (const auto& name : value.names()) {
    if (draft.sizes.erase(name) == 0) continue;
    const auto fixed = Value(*draft.start.at(name));
    draft.fixed[name] = fixed;
    draft.mep.contract.push_back(Expression::binary("==", Expression::name(name), Expression::literal(fixed)));
    draft.because(fmt::format("{} stays {}: -D{} is made of it, and extents were read with that number", name,
                              print(fixed), define.name));
  }
}

}  // namespace

void let_defines_follow(const Extraction& extraction, Draft& draft) {
  const bool hosts = extents_are_the_hosts(draft);
  for (const auto& define : extraction.defines) {
    const auto value = follows_in(extraction, draft, define);
    if (!value) continue;
    if (!hosts) {
      keep_sizes_of(draft, *value, define);
      continue;
    }
    const auto constant = "-D" + define.name + "=" + define.value;
    std::ranges::replace(draft.mep.options, constant, sized_define(define.name, *value));
    draft.because(fmt::format("-D{} follows the sizes: it is {}", define.name, value->print()));
    draft.sized_defines = true;
  }
  if (draft.sized_defines) draft.needed.clear();  // found with the macros' numbers, which hold for one size alone
}

}  // namespace hone::mep
