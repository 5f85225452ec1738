#include "core/c_tokens.hpp"

#include <array>
#include <cctype>

#include "base/text.hpp"

namespace hone {
namespace {

constexpr std::array<std::string_view, 23> long_punctuation = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                                               "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                               "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};

std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    const bool exponent_sign =
        (c == '+' || c == '-') && std::string_view("eEpP").find(text[at - 1]) != std::string_view::npos;
    if (!in_name(c) && c != '.' && !exponent_sign) break;
    ++at;
  }
  return at;
}

CToken next(std::string_view text, std::size_t at) {
  using Kind = CToken::Kind;
  const char c = text[at];
  const auto rest = text.substr(at);
  const auto token = [&](Kind kind, std::size_t end) { return CToken{kind, text.substr(at, end - at)}; };
  if (c == '\n') return token(Kind::Newline, at + 1);
  if (rest.starts_with("\\\n")) return token(Kind::Space, at + 2);
  if (std::isspace(static_cast<unsigned char>(c)) != 0) {
    auto end = at + 1;
    while (end < text.size() && text[end] != '\n' && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
    return token(Kind::Space, end);
  }
  if (rest.starts_with("//")) return token(Kind::Comment, std::min(text.find('\n', at), text.size()));
  if (rest.starts_with("/*")) {
    const auto close = text.find("*/", at + 2);
    return token(Kind::Comment, close == std::string_view::npos ? text.size() : close + 2);
  }
  if (c == '"' || c == '\'') return token(Kind::String, end_of_string(text, at));
  if (starts_name(c)) {
    auto end = at + 1;
    while (end < text.size() && in_name(text[end])) ++end;
    return token(Kind::Identifier, end);
  }
  const bool digit_follows = rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
  if (std::isdigit(static_cast<unsigned char>(c)) != 0 || (c == '.' && digit_follows))
    return token(Kind::Number, end_of_number(text, at + 1));
  for (const auto& p : long_punctuation)
    if (rest.starts_with(p)) return token(Kind::Punctuation, at + p.size());
  return token(Kind::Punctuation, at + 1);
}

}  // namespace

std::vector<CToken> c_tokens(std::string_view text) {
  std::vector<CToken> out;
  for (std::size_t at = 0; at < text.size(); at += out.back().text.size()) out.push_back(next(text, at));
  return out;
}

}  // namespace hone
