#include "core/expression_lex.hpp"

#include <cctype>

#include "base/text.hpp"

namespace hone {

namespace {

/// More than any person writes, few enough that a tree of them cannot overflow the stack.
constexpr std::size_t longest = 4000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      auto token = next();
      if (!token) return fail(token.error());
      tokens.push_back(*token);
      if (token->kind == Token::Kind::End) return tokens;
      if (tokens.size() > longest) return fail(expression_error(text_, at_, "the expression is too long"));
    }
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Result<Token> next() {
    const std::size_t begin = at_;
    const char c = peek();
    if (at_ >= text_.size()) return Token{Token::Kind::End, "", begin, false};
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (starts_name(c)) return name();
    if (c == '`') return quoted_name();
    if (c == '"' || c == '\'') return string(c);
    for (const std::string_view symbol :
         {"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]", ","}) {
      if (text_.substr(at_).starts_with(symbol)) {
        at_ += symbol.size();
        return Token{Token::Kind::Symbol, std::string(symbol), begin, false};
      }
    }
    return fail(expression_error(text_, begin, "this character has no meaning here"));
  }

  Result<Token> number() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    const bool signed_exponent = (peek(1) == '+' || peek(1) == '-') && is_digit(peek(2));
    if ((peek() == 'e' || peek() == 'E') && (is_digit(peek(1)) || signed_exponent)) {
      at_ += 2;
      while (is_digit(peek())) ++at_;
    }
    if (starts_name(peek())) return fail(expression_error(text_, begin, "a number cannot be followed by a letter"));
    return Token{Token::Kind::Number, std::string(text_.substr(begin, at_ - begin)), begin, false};
  }

  /// Names carry their dots and constant index: launch.global[0].
  Result<Token> name() {
    const std::size_t begin = at_;
    while (starts_name(peek()) || is_digit(peek()) || (peek() == '.' && starts_name(peek(1)))) ++at_;
    std::string text(text_.substr(begin, at_ - begin));
    std::size_t close = at_ + 1;
    while (close < text_.size() && is_digit(text_[close])) ++close;
    const bool indexed = peek() == '[' && close > at_ + 1 && close < text_.size() && text_[close] == ']';
    if (indexed && text != "in") {
      text += text_.substr(at_, close + 1 - at_);
      at_ = close + 1;
    }
    return Token{Token::Kind::Name, std::move(text), begin, false};
  }

  Result<Token> quoted_name() {
    const std::size_t begin = at_;
    const auto close = text_.find('`', at_ + 1);
    if (close == std::string_view::npos || close == begin + 1)
      return fail(expression_error(text_, begin, "a name between backquotes is expected"));
    at_ = close + 1;
    return Token{Token::Kind::Name, std::string(text_.substr(begin + 1, close - begin - 1)), begin, true};
  }

  Result<Token> string(char quote) {
    const std::size_t begin = at_++;
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] != '\\') {
        out += text_[at_++];
      } else if (!escape(out)) {
        return fail(expression_error(text_, at_, "unknown escape in a string"));
      }
    }
    if (at_ >= text_.size()) return fail(expression_error(text_, begin, "this string does not end"));
    ++at_;
    return Token{Token::Kind::String, std::move(out), begin, false};
  }

  bool escape(std::string& out) {
    const char c = peek(1);
    if (c == 'u') {
      unsigned code = 0;
      for (std::size_t i = 2; i < 6; ++i) {
        if (std::isxdigit(static_cast<unsigned char>(peek(i))) == 0) return false;
        code = code * 16 + static_cast<unsigned>(std::stoi(std::string(1, peek(i)), nullptr, 16));
      }
      if (code > 0x7f) return false;
      out += static_cast<char>(code);
      at_ += 6;
      return true;
    }
    const std::string_view known = "nt\\\"'";
    const auto which = known.find(c);
    if (c == '\0' || which == std::string_view::npos) return false;
    out += "\n\t\\\"'"[which];
    at_ += 2;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Error expression_error(std::string_view text, std::size_t offset, std::string_view what) {
  return {"E-EXPRESSION", std::string(what) + "\n  " + std::string(text) + "\n  " + std::string(offset, ' ') + "^"};
}

Result<std::vector<Token>> lex_expression(std::string_view text) { return Lexer(text).run(); }

}  // namespace hone
