#pragma once
// The tokens of a text as written, before any preprocessing: what the lifter checks its tree against. Comments are no
// tokens; a preprocessor line is one span, and an inactive branch joins the lines around it (hide).

#include <cstddef>
#include <string_view>
#include <vector>

namespace hone::source {

struct Span {
  std::size_t begin = 0, end = 0;
  bool contains(const Span& other) const { return begin <= other.begin && other.end <= end; }
  bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
  bool operator==(const Span&) const = default;
};

enum class TokenKind { Identifier, Number, Text, Punctuation };

struct Token {
  TokenKind kind;
  Span span;
  std::string_view text;
};

struct Tokens {
  std::vector<Token> tokens;     ///< in order, those of directives left out
  std::vector<Span> directives;  ///< in order, from '#' to the end of the line

  /// The first token that begins at or after this offset; the number of tokens when there is none.
  std::size_t first_from(std::size_t offset) const;
  /// Tokens that begin inside the span: [first, last).
  std::pair<std::size_t, std::size_t> inside(const Span& span) const;
};

/// `text` has to outlive the result.
Tokens tokenize(std::string_view text);
/// Inactive code: each range swallows its tokens and becomes one directive together with the lines it touches.
void hide(Tokens& tokens, const std::vector<Span>& inactive);
/// Every ( [ { closes inside.
bool balanced(const Tokens& tokens, std::size_t first, std::size_t last);

}  // namespace hone::source
