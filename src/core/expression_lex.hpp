#pragma once
// Text to tokens, for the parser of expressions.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/value.hpp"

namespace hone {

struct Token {
  enum class Kind { Number, String, Name, Symbol, End };
  Kind kind = Kind::End;
  std::string text;  // a number keeps its spelling; a string is unescaped
  std::size_t offset = 0;
  bool quoted = false;  // a name between backquotes: never a word of the language
  bool is(std::string_view symbol) const {
    return !quoted && (kind == Kind::Symbol || kind == Kind::Name) && text == symbol;
  }
};

/// The last token is always End.
Result<std::vector<Token>> lex_expression(std::string_view text);
/// E-EXPRESSION with the text and a caret under the place.
Error expression_error(std::string_view text, std::size_t offset, std::string_view what);

}  // namespace hone
