#include "source/lift_effects.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace hone::source {
namespace {

const std::set<std::string_view>& keywords() {
  static const std::set<std::string_view> words = {
      "if",      "else",    "for",       "while",        "do",         "switch",   "case",       "default",    "sizeof",
      "struct",  "union",   "enum",      "typedef",      "const",      "volatile", "restrict",   "static",     "extern",
      "inline",  "void",    "bool",      "char",         "uchar",      "short",    "ushort",     "int",        "uint",
      "long",    "ulong",   "half",      "float",        "double",     "unsigned", "signed",     "__global",   "global",
      "__local", "local",   "__private", "private",      "__constant", "constant", "__shared__", "__device__", "auto",
      "size_t",  "true",    "false",     "__restrict__", "__restrict", "return",   "break",      "continue",   "goto",
      "asm",     "__asm__", "register"};
  return words;
}

bool is_assignment(std::string_view t) {
  return t == "=" || (t.size() > 1 && t.back() == '=' && t != "==" && t != "!=" && t != "<=" && t != ">=");
}

bool name_token(const Token& t) { return t.kind == TokenKind::Identifier && !keywords().contains(t.text); }

class Reader {
 public:
  Reader(const Tokens& tokens, std::size_t first, std::size_t last) : t_(tokens.tokens), first_(first), last_(last) {}

  ir::Effects run() {
    for (std::size_t i = first_; i < last_; ++i) see(i);
    ir::Effects out;
    out.reads.assign(reads_.begin(), reads_.end());
    out.writes.assign(writes_.begin(), writes_.end());
    out.declares.assign(declares_.begin(), declares_.end());
    out.jumps = jumps_;
    out.may_barrier = may_barrier_;
    out.unknown = unknown_;
    return out;
  }

 private:
  std::string_view at(std::size_t i) const { return i >= first_ && i < last_ ? t_[i].text : std::string_view(); }

  void see(std::size_t i) {
    const auto text = at(i);
    if (text == "return" || text == "break" || text == "continue" || text == "goto") jumps_ = true;
    if (text == "asm" || text == "__asm__" || text == "goto") unknown_ = true;
    if (is_assignment(text)) write_before(i);
    if (text == "++" || text == "--") {
      write_before(i);
      if (i + 1 < last_) write_after(i + 1);
    }
    if (text == "&" && (i == first_ || (!name_token(t_[i - 1]) && at(i - 1) != ")" && at(i - 1) != "]")))
      write_after(i + 1);
    if (!name_token(t_[i]) || at(i - 1) == "." || at(i - 1) == "->") return;
    if (at(i + 1) == "(") return call(i);
    if (declared(i))
      declares_.emplace(text);
    else
      reads_.emplace(text);
  }

  /// `type name`, `type *name`: two words in a row, stars between them, and nothing that reads as a product.
  bool declared(std::size_t i) const {
    const auto next = at(i + 1);
    if (next != "=" && next != ";" && next != "," && next != "[") return false;
    std::size_t j = i;
    while (j > first_ && at(j - 1) == "*") --j;
    if (j == first_ || t_[j - 1].kind != TokenKind::Identifier) return false;
    static const std::set<std::string_view> not_types = {"return", "else", "do", "case", "goto", "sizeof"};
    if (not_types.contains(at(j - 1))) return false;
    return j == i || keywords().contains(at(j - 1));
  }

  void call(std::size_t i) {
    const auto callee = at(i);
    may_barrier_ = may_barrier_ || callee.find("barrier") != std::string_view::npos ||
                   callee.find("sync") != std::string_view::npos;
    int depth = 0;
    for (std::size_t j = i + 1; j < last_; ++j) {
      if (at(j) == "(") ++depth;
      if (at(j) == ")" && --depth == 0) return;
      const bool alone =
          (at(j - 1) == "(" || at(j - 1) == ",") && (at(j + 1) == ")" || at(j + 1) == "," || at(j + 1) == "+");
      if (name_token(t_[j]) && alone) writes_.emplace(at(j));
    }
  }

  /// The variable at the root of `a[i].x` that ends just before token i.
  void write_before(std::size_t i) {
    std::size_t j = i;
    while (j > first_) {
      --j;
      if (at(j) == "]" || at(j) == ")") {
        int depth = 0;
        for (;; --j) {
          if (at(j) == "]" || at(j) == ")") ++depth;
          if ((at(j) == "[" || at(j) == "(") && --depth == 0) break;
          if (j == first_) return;
        }
        if (at(j) == "(")
          for (std::size_t k = j; k < i; ++k)
            if (name_token(t_[k])) writes_.emplace(at(k));
        continue;
      }
      if (t_[j].kind != TokenKind::Identifier) return;
      if (j > first_ && (at(j - 1) == "." || at(j - 1) == "->")) {
        --j;
        continue;
      }
      if (name_token(t_[j])) writes_.emplace(at(j));
      return;
    }
  }

  void write_after(std::size_t i) {
    while (i < last_ && (at(i) == "(" || at(i) == "*")) ++i;
    if (i < last_ && name_token(t_[i])) writes_.emplace(at(i));
  }

  const std::vector<Token>& t_;
  std::size_t first_, last_;
  std::set<std::string> reads_, writes_, declares_;
  bool jumps_ = false, may_barrier_ = false, unknown_ = false;
};

}  // namespace

ir::Effects effects_of(const Tokens& tokens, std::size_t first, std::size_t last) {
  return Reader(tokens, first, last).run();
}

}  // namespace hone::source
