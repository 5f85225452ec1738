#include "source/host_tokens.hpp"

#include <array>
#include <cctype>

#include "base/text.hpp"

namespace hone::source::host {
namespace {

constexpr std::array<std::string_view, 26> kLong = {"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "<<",
                                                    ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                                    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "::", "##"};

class Lexer {
 public:
  Lexer(std::string_view text, bool directives) : text_(text), directives_(directives) {}

  Tokens all() {
    while (skip_blank()) one();
    return std::move(out_);
  }

 private:
  bool skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') line_start_ = true;
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (rest().starts_with("\\\n") || rest().starts_with("\\\r\n")) {
        at_ += 2;
      } else if (rest().starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest().starts_with("/*")) {
        const auto close = text_.find("*/", at_ + 2);
        at_ = close == std::string_view::npos ? text_.size() : close + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void one() {
    const char c = text_[at_];
    if (c == '#' && line_start_ && directives_) return push(Token::Kind::Directive, end_of_directive());
    line_start_ = false;
    if (const auto end = end_of_raw_string()) return push(Token::Kind::RawString, end);
    if (c == '"') return push(Token::Kind::String, end_of_quoted());
    if (c == '\'') return push(Token::Kind::Character, end_of_quoted());
    if (starts_name(c)) {
      auto end = at_ + 1;
      while (end < text_.size() && in_name(text_[end])) ++end;
      return push(Token::Kind::Word, end);
    }
    const bool fraction =
        c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || fraction) return push(Token::Kind::Number, end_of_number());
    for (const auto& p : kLong) {
      if (rest().starts_with(p)) return push(Token::Kind::Punctuation, at_ + p.size());
    }
    push(Token::Kind::Punctuation, at_ + 1);
  }

  void push(Token::Kind kind, std::size_t end) {
    out_.push_back({kind, text_.substr(at_, end - at_), at_, end});
    at_ = end;
  }

  std::size_t end_of_directive() const {
    auto end = at_;
    while (end < text_.size() && text_[end] != '\n') {
      const auto left = text_.substr(end);
      if (left.starts_with("/*")) {
        const auto close = text_.find("*/", end + 2);
        end = close == std::string_view::npos ? text_.size() : close + 2;
      } else if (left.starts_with("//")) {
        return std::min(text_.find('\n', end), text_.size());
      } else if (left.starts_with("\\\r\n")) {
        end += 3;
      } else {
        end += left.starts_with("\\\n") ? 2 : 1;
      }
    }
    return std::min(end, text_.size());
  }

  std::size_t end_of_quoted() const {
    const char quote = text_[at_];
    auto end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      if (text_[end] == '\\') ++end;
      ++end;
    }
    return std::min(end + 1, text_.size());
  }

  std::size_t end_of_raw_string() const {
    std::size_t quote = at_;
    for (const std::string_view prefix : {"R\"", "u8R\"", "uR\"", "UR\"", "LR\""}) {
      if (rest().starts_with(prefix)) quote = at_ + prefix.size() - 1;
    }
    if (quote == at_) return 0;
    const auto open = text_.find('(', quote);
    if (open == std::string_view::npos || open - quote > 17) return 0;
    const std::string closing = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    const auto close = text_.find(closing, open);
    return close == std::string_view::npos ? text_.size() : close + closing.size();
  }

  std::size_t end_of_number() const {
    auto end = at_ + 1;
    while (end < text_.size()) {
      const bool sign = (text_[end] == '+' || text_[end] == '-') &&
                        std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
      const bool hexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
      if (!in_name(text_[end]) && text_[end] != '.' && !(sign && !hexadecimal)) break;
      ++end;
    }
    return end;
  }

  std::string_view rest() const { return text_.substr(at_); }

  std::string_view text_;
  std::size_t at_ = 0;
  bool directives_ = true, line_start_ = true;
  Tokens out_;
};

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/// Reads one escape at a backslash; returns its length.
std::size_t escape(std::string_view text, Decoded& into, std::size_t place) {
  const char c = text.size() > 1 ? text[1] : '\\';
  if (c == '\n') return 2;
  if (c == '\r') return 3;
  const int base = c == 'x' ? 16 : c >= '0' && c <= '7' ? 8 : 0;
  if (base != 0) {
    std::size_t i = base == 16 ? 2 : 1;
    const std::size_t most = base == 16 ? 4 : 4;
    int value = 0;
    for (; i < text.size() && i < most && digit_of(text[i]) < base; ++i) value = value * base + digit_of(text[i]);
    into.text += static_cast<char>(value);
    into.places.push_back({place, place + i});
    return i;
  }
  constexpr std::string_view letters = "ntrabfv";
  constexpr std::string_view values = "\n\t\r\a\b\f\v";
  const auto letter = letters.find(c);
  into.text += letter == std::string_view::npos ? c : values[letter];
  into.places.push_back({place, place + 2});
  return 2;
}

}  // namespace

Tokens tokens_of(std::string_view text, bool directives) { return Lexer(text, directives).all(); }

std::size_t after_matching(const Tokens& tokens, std::size_t open, std::size_t end) {
  int depth = 0;
  std::vector<int> before;  // how deep it was at each `#if` inside
  int skipping = 0;         // other branches of an `#if` that began before the bracket did
  for (std::size_t i = open; i < end; ++i) {
    if (tokens[i].kind == Token::Kind::Directive) {
      const auto word = trim(tokens[i].text.substr(1));
      const bool opens = word.starts_with("if");
      if (skipping > 0) {
        skipping += opens ? 1 : word.starts_with("endif") ? -1 : 0;
      } else if (opens) {
        before.push_back(depth);
      } else if (word.starts_with("el") && !before.empty()) {
        depth = before.back();  // every branch opens what the others open
      } else if (word.starts_with("el")) {
        skipping = 1;
      } else if (word.starts_with("endif") && !before.empty()) {
        before.pop_back();
      }
      continue;
    }
    if (tokens[i].kind != Token::Kind::Punctuation || skipping > 0) continue;
    const char c = tokens[i].text.size() == 1 ? tokens[i].text[0] : ' ';
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i + 1;
  }
  return end;
}

void decode(const Token& literal, Decoded& into) {
  const auto quote = literal.text.find('"');
  if (literal.kind == Token::Kind::RawString) {
    const auto open = literal.text.find('(', quote);
    const auto inside = literal.text.substr(open + 1, literal.text.size() - (open - quote) - 2 - open);
    for (std::size_t i = 0; i < inside.size(); ++i) {
      into.text += inside[i];
      into.places.push_back({literal.begin + open + 1 + i, literal.begin + open + 2 + i});
    }
    return;
  }
  for (std::size_t i = quote + 1; i + 1 < literal.text.size();) {
    if (literal.text[i] == '\\') {
      i += escape(literal.text.substr(i, literal.text.size() - 1 - i), into, literal.begin + i);
    } else {
      into.text += literal.text[i];
      into.places.push_back({literal.begin + i, literal.begin + i + 1});
      ++i;
    }
  }
}

}  // namespace hone::source::host
