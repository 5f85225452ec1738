#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "source/follower_parts.hpp"

namespace hone::source::host {
namespace {

HostValue integer(std::int64_t value) { return number(Expression::literal(Value(value))); }

HostValue parse_number(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
    return number(Expression::literal(Value(std::strtod(digits.c_str(), nullptr))), true);
  }
  return integer(std::strtoll(digits.c_str(), nullptr, 0));
}

bool is_type_word(std::string_view word) {
  static const std::set<std::string_view> words = {
      "const",  "unsigned", "signed", "char",     "short", "int",  "long",  "float",  "double", "void",
      "size_t", "struct",   "bool",   "volatile", "std",   "uint", "uchar", "ushort", "ulong"};
  return words.contains(word) || word.ends_with("_t") || word.starts_with("cl_");
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

/// C's integer arithmetic on sizes, which are not negative; numbers are folded, the rest is kept as an expression.
HostValue combine(std::string_view op, const HostValue& a, const HostValue& b) {
  if (a.kind != Kind::Number || b.kind != Kind::Number) return {};
  const bool real = a.real || b.real;
  const auto x = literal_of(a);
  const auto y = literal_of(b);
  if (x && y && !real) {
    if (op == "+") return integer(*x + *y);
    if (op == "-") return integer(*x - *y);
    if (op == "*") return integer(*x * *y);
    if (op == "/" && *y != 0) return integer(floor_div(*x, *y));
    if (op == "%" && *y != 0) return integer(*x % *y);
    if (op == "<<" && *y >= 0 && *y < 62) return integer(*x << *y);
    if (op == ">>" && *y >= 0 && *y < 62) return integer(*x >> *y);
    if (op == "|") return integer(*x | *y);
    if (op == "&") return integer(*x & *y);
  }
  if (op == "/") return number(Expression::binary(real ? "/" : "//", a.number, b.number), real);
  if (op == "+" && y == 0) return a;
  if (op == "*" && y == 1) return a;
  if (op == "*" && x == 1) return b;
  if (op == "+" || op == "-" || op == "*" || op == "%")
    return number(Expression::binary(std::string(op), a.number, b.number), real);
  if ((op == "<<" || op == ">>") && y && *y >= 0 && *y < 62) {
    return number(
        Expression::binary(op == "<<" ? "*" : "//", a.number, Expression::literal(Value(std::int64_t{1} << *y))));
  }
  if (op == "<<")
    return number(Expression::binary("*", a.number,
                                     Expression::binary("**", Expression::literal(Value(std::int64_t{2})), b.number)));
  return {};
}

int precedence(std::string_view op) {
  static const std::map<std::string_view, int> table = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto found = table.find(op);
  return found == table.end() ? 0 : found->second;
}

}  // namespace

HostValue number(Expression value, bool real) {
  HostValue out;
  out.kind = Kind::Number;
  out.number = std::move(value);
  out.real = real;
  return out;
}

std::optional<std::int64_t> literal_of(const HostValue& value) {
  if (value.kind != Kind::Number || value.number.root().kind != Expression::Kind::Literal) return std::nullopt;
  const auto* held = std::get_if<std::int64_t>(&value.number.root().value);
  return held != nullptr ? std::optional(*held) : std::nullopt;
}

/// Reads one expression; tokens it does not understand make the value unknown, and reading goes on, so that every call
/// in a statement is seen.
class Follower::Parser {
 public:
  Parser(Follower& follower, const Span& span) : follower_(follower), span_(span) {}

  HostValue all() {
    HostValue out = ternary();
    while (!done()) {
      const auto before = at_;
      if (at().is(",") || at().is("=")) ++at_;
      ternary();
      out = {};
      if (at_ == before) ++at_;
    }
    return out;
  }

 private:
  bool done() const { return at_ >= span_.size(); }
  const Token& at() const { return span_[at_]; }
  bool next_is(std::string_view what, std::size_t ahead = 0) const {
    return at_ + ahead < span_.size() && span_[at_ + ahead].is(what);
  }

  HostValue ternary() {
    HostValue condition = binary(1);
    if (!next_is("?")) return condition;
    ++at_;
    const HostValue a = ternary();
    if (next_is(":")) ++at_;
    const HostValue b = ternary();
    if (const auto known = follower_.concretely(condition)) return *known != 0 ? a : b;
    return a == b ? a : HostValue{};  // which of two is not decided here, so neither is stated
  }

  HostValue binary(int least) {
    HostValue left = unary();
    while (!done() && at().kind == Token::Kind::Punctuation) {
      const auto op = at().text;
      const int strength = precedence(op);
      if (strength < least || strength == 0) break;
      ++at_;
      const HostValue right = binary(strength + 1);
      left = strength >= 3 && strength != 6 && strength != 7 ? combine(op, left, right) : compare(op, left, right);
    }
    return left;
  }

  HostValue compare(std::string_view op, const HostValue& a, const HostValue& b) const {
    const auto x = follower_.concretely(a);
    const auto y = follower_.concretely(b);
    if (!x || !y) return {};
    const std::map<std::string_view, bool> answers = {{"==", *x == *y},
                                                      {"!=", *x != *y},
                                                      {"<", *x < *y},
                                                      {">", *x > *y},
                                                      {"<=", *x <= *y},
                                                      {">=", *x >= *y},
                                                      {"&&", *x != 0 && *y != 0},
                                                      {"||", *x != 0 || *y != 0}};
    return integer(answers.at(op) ? 1 : 0);
  }

  HostValue unary() {
    if (done()) return {};
    const auto& token = at();
    if (token.is("-") || token.is("+") || token.is("!") || token.is("~")) {
      ++at_;
      const HostValue inner = unary();
      return token.is("-") ? combine("-", integer(0), inner) : token.is("+") ? inner : HostValue{};
    }
    if (token.is("&")) {
      ++at_;
      const auto start = at_;
      HostValue inner = unary();
      HostValue out;
      if (const auto key = follower_.path_key(span_.sub(start, at_))) {
        out.kind = Kind::Reference;
        out.text = *key;
        return out;
      }
      return inner;
    }
    if (token.is("*")) {
      ++at_;
      const HostValue inner = unary();
      return inner.kind == Kind::Reference ? follower_.lookup(inner.text, inner.text) : inner;
    }
    if (token.is("++") || token.is("--")) {
      ++at_;
      const auto start = at_;
      unary();
      return change(start, token.text, false);
    }
    if (token.is("(") && is_cast()) {
      const auto type = span_.sub(at_ + 1, close(at_) - 1);
      at_ = close(at_);
      HostValue out = unary();
      for (std::size_t i = 0; i < type.size(); ++i) {
        if (type[i].is("float") || type[i].is("double") || type[i].is("cl_float") || type[i].is("cl_double"))
          out.real = out.kind == Kind::Number && !next_is("*");
      }
      return out;
    }
    return postfix();
  }

  HostValue change(std::size_t start, std::string_view op, bool after) {
    const auto key = follower_.path_key(span_.sub(start, at_));
    if (!key) return {};
    const HostValue before = follower_.lookup(*key, *key);
    const auto value = follower_.concretely(before);
    const HostValue now = value ? integer(*value + (op == "++" ? 1 : -1)) : HostValue{};
    follower_.variables_[*key] = now;
    return after ? before : now;
  }

  std::size_t close(std::size_t open) const {
    return after_matching(span_.file->tokens, span_.begin + open, span_.end) - span_.begin;
  }

  bool is_cast() const {
    const auto end = close(at_);
    if (end >= span_.size() || end < at_ + 3) return false;
    const auto& next = span_[end];
    const bool operand =
        next.kind != Token::Kind::Punctuation || next.is("(") || next.is("&") || next.is("*") || next.is("{");
    if (!operand) return false;
    for (std::size_t i = at_ + 1; i + 1 < end; ++i) {
      if (span_[i].kind != Token::Kind::Word && !span_[i].is("*") && !span_[i].is("::")) return false;
    }
    const auto& first = span_[at_ + 1];
    if (first.kind != Token::Kind::Word) return false;
    const bool starred = span_[end - 2].is("*");
    const bool known = is_type_word(first.text) || follower_.size_of(span_.sub(at_ + 1, end - 1)).has_value();
    const bool value_follows =
        next.kind == Token::Kind::Word || next.kind == Token::Kind::Number || next.is("(") || next.is("{");
    return starred || (known && (value_follows || next.is("&") || next.is("*")));
  }

  HostValue postfix() {
    const auto start = at_;
    HostValue out = primary();
    while (!done()) {
      if (at().is(".") || at().is("->")) {
        const bool call = next_is("(", 2);
        const auto name = at_ + 1 < span_.size() ? std::string(span_[at_ + 1].text) : std::string();
        const auto object = follower_.path_key(span_.sub(start, at_)).value_or("");
        at_ = std::min(at_ + 2, span_.size());
        if (call) {
          const auto arguments = arguments_of(span_, at_);
          const auto end = close(at_);
          out = follower_.call(name, object, span_.sub(start, end), arguments);
          at_ = end;
        } else {
          const auto key = follower_.path_key(span_.sub(start, at_));
          out = key ? follower_.lookup(*key, name) : HostValue{};
        }
      } else if (at().is("[")) {
        const auto end = close(at_);
        const HostValue index = Parser(follower_, span_.sub(at_ + 1, end - 1)).all();
        at_ = end;
        out = item(start, index);
      } else if (at().is("++") || at().is("--")) {
        const auto op = at().text;
        out = change(start, op, true);
        ++at_;
      } else {
        break;
      }
    }
    return out;
  }

  /// a[2] by its key; a[k % 2] of two known items as a choice between them.
  HostValue item(std::size_t start, const HostValue& index) {
    const auto base = follower_.path_key(span_.sub(start, at_));
    if (base && literal_of(index)) return follower_.lookup(*base, *base);
    auto open = at_;
    while (open > start && !span_[open - 1].is("[")) --open;
    const auto array = follower_.path_key(span_.sub(start, open > start ? open - 1 : start));
    if (!array || index.kind != Kind::Number) return {};
    std::vector<HostValue> items;
    while (items.size() < 8 && follower_.variables_.contains(*array + "[" + std::to_string(items.size()) + "]")) {
      items.push_back(follower_.variables_[*array + "[" + std::to_string(items.size()) + "]"]);
    }
    if (items.size() < 2 || items[0].kind != Kind::Buffer) return {};
    HostValue out = items.back();
    for (std::size_t i = items.size() - 1; i-- > 0;) {
      const auto choice = Expression::parse(items[i].number.print() + " if (" + index.number.print() +
                                            ") == " + std::to_string(i) + " else " + out.number.print());
      if (!choice) return {};
      out.number = *choice;
    }
    return out;
  }

  HostValue primary() {
    const auto& token = at();
    ++at_;
    if (token.kind == Token::Kind::Number) return parse_number(token.text);
    if (token.kind == Token::Kind::String || token.kind == Token::Kind::RawString) {
      Decoded decoded;
      decode(token, decoded);
      while (!done() && (at().kind == Token::Kind::String || at().kind == Token::Kind::RawString))
        decode(span_[at_++], decoded);
      HostValue out;
      out.kind = Kind::Text;
      out.text = std::move(decoded.text);
      return out;
    }
    if (token.is("(") || token.is("{")) {
      const auto end = close(at_ - 1);
      const auto inside = span_.sub(at_, end > at_ ? end - 1 : at_);
      at_ = end;
      if (token.is("(")) return Parser(follower_, inside).all();
      HostValue out;
      out.kind = Kind::List;
      for (const auto& part : split_at(inside, ",")) out.items.push_back(Parser(follower_, part).all());
      return out;
    }
    if (token.kind != Token::Kind::Word) return {};
    return word(std::string(token.text));
  }

  HostValue word(std::string name) {
    while (next_is("::")) {  // cl::Kernel, std::min
      name = at_ + 1 < span_.size() ? std::string(span_[at_ + 1].text) : name;
      at_ = std::min(at_ + 2, span_.size());
    }
    if (name == "NULL" || name == "nullptr" || name == "NullRange") {
      HostValue out;
      out.kind = Kind::Null;
      return out;
    }
    if (name == "new") return done() ? HostValue{} : unary();
    if (name == "sizeof" && !done()) {
      const auto end = next_is("(") ? close(at_) : at_ + 1;
      const auto type = next_is("(") ? span_.sub(at_ + 1, end - 1) : span_.sub(at_, end);
      at_ = end;
      const auto bytes = follower_.size_of(type);
      return bytes ? integer(*bytes) : HostValue{};
    }
    if (next_is("<")) skip_template_arguments();
    if (next_is("<<<")) return chevrons(name);
    if (!next_is("(") && !(next_is("{") && name.starts_with("ND")))
      return follower_.lookup(follower_.key_of(name), name);
    const auto arguments = arguments_of(span_, at_);
    const auto end = close(at_);
    const auto whole = span_.sub(at_ - 1, end);
    at_ = end;
    return follower_.call(name, {}, whole, arguments);
  }

  HostValue chevrons(const std::string& kernel) {
    const auto start = at_ - 1;
    auto stop = at_;
    while (stop < span_.size() && !span_[stop].is(">>>")) ++stop;
    const auto geometry = split_at(span_.sub(at_ + 1, stop), ",");
    at_ = std::min(stop + 1, span_.size());
    const auto end = next_is("(") ? close(at_) : at_;
    const auto arguments = next_is("(") ? arguments_of(span_, at_) : std::vector<Span>{};
    at_ = end;
    for (const auto& argument : arguments) Parser(follower_, argument).all();
    follower_.launch(kernel, span_.sub(start, end), geometry, {}, {}, {}, false);
    return {};
  }

  /// `name<...>(`: skipped only when the brackets close before a call.
  void skip_template_arguments() {
    int depth = 0;
    for (auto i = at_; i < span_.size() && i < at_ + 64; ++i) {
      if (span_[i].is("<")) ++depth;
      if (span_[i].is(">")) --depth;
      if (span_[i].is(">>")) depth -= 2;
      if (span_[i].is(";") || span_[i].is("&&") || span_[i].is("||")) return;
      if (depth <= 0) {
        if (i + 1 < span_.size() && span_[i + 1].is("(")) at_ = i + 1;
        return;
      }
    }
  }

  Follower& follower_;
  Span span_;
  std::size_t at_ = 0;
};

HostValue Follower::evaluate(const Span& span) { return span.empty() ? HostValue{} : Parser(*this, span).all(); }

}  // namespace hone::source::host
