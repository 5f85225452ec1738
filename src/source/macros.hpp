#pragma once
// Macros as text: what `#define` lines say and what an invocation becomes, for text that is read without a compiler:
// kernels that a macro makes, words that hide `__kernel`, strings that a macro makes of its arguments. Layout is kept,
// depth and size are bounded.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/host_tokens.hpp"

namespace hone::source::host {

struct Macro {
  std::string name;
  bool takes_arguments = false, variadic = false;
  std::vector<std::string> parameters;  // the last one is __VA_ARGS__, or its name, when variadic
  std::string body;                     // continued lines as lines
};
using Macros = std::map<std::string, Macro, std::less<>>;

/// Of a whole directive, "#define ..."; nothing when it is another one.
std::optional<Macro> macro_of(std::string_view directive);
/// Every macro that a text defines, the first definition of each.
void add_macros(std::string_view text, Macros& into);

/// The arguments between the brackets: `open` is the bracket, `end` one past its partner.
std::vector<std::string> arguments_between(const Tokens& tokens, std::size_t open, std::size_t end,
                                           std::string_view text);
/// The body with the arguments in it, once: what stands in the result is not expanded again.
std::string expand_once(const Macro& macro, const std::vector<std::string>& arguments);
/// Everything expanded; what is too deep or too long stays as it is.
std::string expand_all(std::string_view text, const Macros& macros, const std::set<std::string>& hidden = {});
/// `#x` as the preprocessor does it.
std::string stringized(std::string_view argument);
/// The string that an expression of literals and macros is, decoded; nothing when it is something else.
std::optional<std::string> string_value(std::string_view text, const Macros& macros);

}  // namespace hone::source::host
