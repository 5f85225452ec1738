#pragma once
// Just enough of C's lexical rules to change names in kernel text without touching strings, comments or members. For
// anything deeper there is source/.

#include <string>
#include <string_view>
#include <vector>

namespace hone {

struct CToken {
  enum class Kind { Identifier, Number, String, Comment, Space, Newline, Punctuation };
  Kind kind = Kind::Space;
  std::string_view text;
};

/// Every byte of the text, in order; the texts of the tokens join to it. A line continuation is Space.
std::vector<CToken> c_tokens(std::string_view text);

}  // namespace hone
