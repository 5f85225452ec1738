#pragma once
// Device code cut into its top-level items, without parsing it: works on text that does not compile, with conditionals
// in odd places, with macros that hide what a kernel is.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/macros.hpp"

namespace hone::source::host {

/// One declaration, definition or directive at the top level of device code.
struct Item {
  enum class Kind { Kernel, Function, Macro, Conditional, Pragma, Include, Scope, Other };
  Kind kind = Kind::Other;
  ByteRange range;                      // in the text, from its first to its last token
  std::vector<std::string> declares;    // names it gives a meaning to
  std::set<std::string> mentions;       // every word in it
  std::set<std::string> calls;          // those with a bracket after them
  std::vector<std::size_t> conditions;  // items of the #if lines and scopes around it, outermost first
  std::optional<std::size_t> group;     // of #else, #elif, #endif and a scope's end: the item they belong to
  std::string directive;                // of a directive: "if", "else", "endif", "define", ...; of a scope: "scope"
};

/// `__kernel`, `kernel` where it cannot be a name, `__global__`.
bool marks_kernel(const Tokens& tokens, std::size_t at);
bool defines_kernel(std::string_view text);
/// Names that the words of a declaration do not declare.
bool is_keyword(std::string_view word);

std::vector<Item> items_of(std::string_view text, const Macros& macros = {});

}  // namespace hone::source::host
