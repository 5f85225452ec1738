#pragma once
// C and C++ as tokens with their places, for code that is read without its headers: host programs, and device code
// inside string literals. Comments are gone; a preprocessor directive is one token.

#include <string>
#include <string_view>
#include <vector>

#include "core/origin.hpp"

namespace hone::source::host {

struct Token {
  enum class Kind { Word, Number, String, RawString, Character, Punctuation, Directive };
  Kind kind = Kind::Punctuation;
  std::string_view text;
  std::size_t begin = 0, end = 0;
  bool is(std::string_view what) const { return text == what && kind != Kind::String; }
};
using Tokens = std::vector<Token>;

/// The text must outlive the tokens. Without directives a `#` is a token like others, as in a macro's body.
Tokens tokens_of(std::string_view text, bool directives = true);
/// One past the bracket that closes the one at `open`; `end` when there is none.
std::size_t after_matching(const Tokens& tokens, std::size_t open, std::size_t end);

/// A decoded string and, for each of its bytes, where it stands in the file.
struct Decoded {
  std::string text;
  std::vector<ByteRange> places;
};
void decode(const Token& literal, Decoded& into);

}  // namespace hone::source::host
