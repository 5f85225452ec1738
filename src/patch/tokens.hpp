#pragma once
// The tokens of C-family text with their places. Enough to find statements, literals and top-level declarations in host
// and device code without parsing it; comments and white space are what lies between tokens.

#include <cstddef>
#include <string_view>
#include <vector>

namespace hone::patch {

struct Token {
  enum class Kind { Word, Number, String, RawString, Character, Mark, Directive };
  Kind kind = Kind::Mark;
  std::size_t begin = 0, end = 0;
};

/// Never fails: what is left open ends with the text. A Directive is one whole preprocessor line with its
/// continuations; marks are single characters except `<<<` and `>>>`.
std::vector<Token> tokens_of(std::string_view text);

inline std::string_view text_of(const Token& token, std::string_view text) {
  return text.substr(token.begin, token.end - token.begin);
}

/// Index of the token that closes the bracket at `open`, or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::string_view text, std::size_t open);

}  // namespace hone::patch
