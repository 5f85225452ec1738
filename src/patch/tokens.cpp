#include "patch/tokens.hpp"

#include <cctype>
#include <string>

#include "base/text.hpp"

namespace hone::patch {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (skip_between()) next();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  /// Moves to the next token; false at the end.
  bool skip_between() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') line_start_ = true;
      if (std::isspace(static_cast<unsigned char>(c)) != 0)
        ++at_;
      else if (starts("\\\n"))
        at_ += 2;
      else if (starts("\\\r\n"))
        at_ += 3;
      else if (starts("//"))
        at_ = line_end(at_);
      else if (starts("/*"))
        at_ = after("*/", at_ + 2);
      else
        return true;
    }
    return false;
  }

  /// The end of the line, across backslash continuations; not past the newline.
  std::size_t line_end(std::size_t from) const {
    for (std::size_t i = from; i < text_.size(); ++i) {
      if (text_[i] != '\n') continue;
      std::size_t back = i;
      if (back > from && text_[back - 1] == '\r') --back;
      if (back == from || text_[back - 1] != '\\') return i;
    }
    return text_.size();
  }

  std::size_t after(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  void push(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, at_, end});
    at_ = end;
    line_start_ = false;
  }

  std::size_t quoted_end(std::size_t from, char quote) const {
    for (std::size_t i = from; i < text_.size(); ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == quote)
        return i + 1;
      else if (text_[i] == '\n')
        return i;  // an apostrophe in an inactive branch: the damage ends with the line
    }
    return text_.size();
  }

  std::size_t raw_end(std::size_t quote) const {
    const auto open = text_.find('(', quote);
    if (open == std::string_view::npos) return text_.size();
    return after(")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"", open);
  }

  std::size_t directive_end() const {
    std::size_t end = line_end(at_);
    const auto comment = text_.substr(at_, end - at_).find("/*");
    if (comment != std::string_view::npos && after("*/", at_ + comment + 2) > end) end = after("*/", at_ + comment + 2);
    return end;
  }

  void next() {
    const char c = text_[at_];
    if (c == '#' && line_start_) return push(Token::Kind::Directive, directive_end());
    if (c == '"') return push(Token::Kind::String, quoted_end(at_ + 1, '"'));
    if (c == '\'') return push(Token::Kind::Character, quoted_end(at_ + 1, '\''));
    if (is_digit(c)) return number();
    if (in_name(c)) return word();
    push(Token::Kind::Mark, at_ + (starts("<<<") || starts(">>>") ? 3 : 1));
  }

  void number() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (in_name(text_[end]) || text_[end] == '.' ||
            ((text_[end] == '+' || text_[end] == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E'))))
      ++end;
    push(Token::Kind::Number, end);
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end])) ++end;
    const auto name = text_.substr(at_, end - at_);
    const bool raw = name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
    if (raw && end < text_.size() && text_[end] == '"') return push(Token::Kind::RawString, raw_end(end));
    push(Token::Kind::Word, end);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).run(); }

std::size_t closing(const std::vector<Token>& tokens, std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Mark) continue;
    const char c = text[tokens[i].begin];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace hone::patch
