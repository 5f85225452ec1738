#include "patch/functor_types.hpp"

#include <optional>

#include "patch/host_scopes.hpp"

namespace hone::patch {
namespace {

/// `using F = cl::KernelFunctor<...>;`, `typedef cl::make_kernel<...> F;`: the token of F, for the token of the class.
std::optional<std::size_t> alias_of(const HostFile& file, std::size_t i) {
  std::size_t first = i;
  while (first > 2 && file.is(first - 1, ":") && file.is(first - 2, ":")) first -= file.word(first - 3) ? 3 : 2;
  if (first > 2 && file.is(first - 1, "=") && file.word(first - 2) && file.is(first - 3, "using")) return first - 2;
  const auto behind = behind_type(file, i);
  const bool defined = first > 0 && file.is(first - 1, "typedef") && file.word(behind) && file.is(behind + 1, ";");
  return defined ? std::optional(behind) : std::nullopt;
}

}  // namespace

std::size_t behind_type(const HostFile& file, std::size_t i) {
  std::size_t at = i + 1;
  if (!file.is(at, "<")) return at;
  for (int depth = 0; at < file.tokens.size() && !file.is(at, ";"); ++at) {
    depth += file.is(at, "<") ? 1 : file.is(at, ">") ? -1 : 0;
    if (depth == 0) break;
  }
  return at + 1;
}

std::set<std::string, std::less<>> functor_types(const HostIndex& index) {
  std::set<std::string, std::less<>> out = {"KernelFunctor", "make_kernel"};
  for (const auto& file : index.files())
    for (const std::string_view type : {"KernelFunctor", "make_kernel"})
      for (const std::size_t i : index.places(file, type))
        if (const auto alias = alias_of(file, i)) out.insert(std::string(file.at(*alias)));
  return out;
}

bool names_functor_type(const HostFile& file, std::size_t i) {
  const bool named = i > 0 && file.is(i - 1, "using") && file.is(i + 1, "=");
  if (named || alias_of(file, i)) return true;
  for (std::size_t t = i; t-- > 0 && !is_one_of(file.at(t), {";", "{", "}"});)
    if (file.is(t, "typedef")) return true;
  return false;
}

}  // namespace hone::patch
