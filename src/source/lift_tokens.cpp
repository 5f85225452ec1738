#include "source/lift_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace hone::source {
namespace {

bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Tokens run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    if (peek() == '\n') {
      line_start_ = true;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(peek())) != 0 || continuation() > 0) {
      at_ += std::max<std::size_t>(1, continuation());
    } else if (comment()) {
    } else if (peek() == '#' && line_start_) {
      directive();
    } else {
      line_start_ = false;
      token();
    }
  }

  std::size_t continuation() const {
    if (peek() != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }

  bool comment() {
    if (peek() != '/') return false;
    if (peek(1) == '/') {
      while (at_ < text_.size() && peek() != '\n') at_ += std::max<std::size_t>(1, continuation());
      return true;
    }
    if (peek(1) != '*') return false;
    const auto end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    return true;
  }

  void directive() {
    const auto begin = at_;
    auto end = at_;
    while (at_ < text_.size() && peek() != '\n') {
      if (const auto skip = continuation()) {
        at_ += skip;
        continue;
      }
      const bool line_comment = peek() == '/' && peek(1) == '/';
      if (comment()) {
        if (!line_comment) end = at_;
        continue;
      }
      const bool space = std::isspace(static_cast<unsigned char>(peek())) != 0;
      ++at_;
      if (!space) end = at_;
    }
    out_.directives.push_back({begin, end});
  }

  void token() {
    const auto begin = at_;
    TokenKind kind = TokenKind::Punctuation;
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
        (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0)) {
      kind = TokenKind::Number;
      number();
    } else if (word(peek())) {
      kind = TokenKind::Identifier;
      while (word(peek())) ++at_;
      if (peek() == '"' && at_ > begin && text_[at_ - 1] == 'R') {
        kind = TokenKind::Text;
        raw_text();
      }
    } else if (peek() == '"' || peek() == '\'') {
      kind = TokenKind::Text;
      quoted();
    } else {
      at_ += punctuation();
    }
    out_.tokens.push_back({kind, {begin, at_}, text_.substr(begin, at_ - begin)});
  }

  void number() {
    while (word(peek()) || peek() == '.' || ((peek() == '+' || peek() == '-') && exponent(text_[at_ - 1]))) ++at_;
  }
  bool exponent(char c) const { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

  void quoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  void raw_text() {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos) return quoted();
    const auto close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const auto end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::size_t punctuation() const {
    static constexpr std::array longer = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                          "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "##"};
    const auto rest = text_.substr(at_);
    for (const std::string_view op : longer)
      if (rest.starts_with(op)) return op.size();
    return 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  Tokens out_;
};

}  // namespace

std::size_t Tokens::first_from(std::size_t offset) const {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), offset,
                                      [](const Token& t, std::size_t o) { return t.span.begin < o; });
  return static_cast<std::size_t>(found - tokens.begin());
}

std::pair<std::size_t, std::size_t> Tokens::inside(const Span& span) const {
  return {first_from(span.begin), first_from(span.end)};
}

Tokens tokenize(std::string_view text) { return Scanner(text).run(); }

void hide(Tokens& tokens, const std::vector<Span>& inactive) {
  for (Span range : inactive) {
    Span whole = range;
    for (const auto& d : tokens.directives)
      if (d.overlaps(range)) whole = {std::min(whole.begin, d.begin), std::max(whole.end, d.end)};
    std::erase_if(tokens.directives, [&](const Span& d) { return d.overlaps(whole); });
    tokens.directives.insert(std::upper_bound(tokens.directives.begin(), tokens.directives.end(), whole,
                                              [](const Span& a, const Span& b) { return a.begin < b.begin; }),
                             whole);
    std::erase_if(tokens.tokens, [&](const Token& t) { return whole.contains(t.span); });
  }
}

bool balanced(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::string open;
  for (std::size_t i = first; i < last; ++i) {
    const auto t = tokens.tokens[i].text;
    if (t == "(" || t == "[" || t == "{") open += t[0] == '(' ? ')' : t[0] == '[' ? ']' : '}';
    if (t == ")" || t == "]" || t == "}") {
      if (open.empty() || open.back() != t[0]) return false;
      open.pop_back();
    }
  }
  return open.empty();
}

}  // namespace hone::source
