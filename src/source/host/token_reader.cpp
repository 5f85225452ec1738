#include "source/host/token_reader.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "source/host_tokens.hpp"

namespace hone::host {
namespace {

using source::host::Token;
using source::host::Tokens;

constexpr int deepest_expression_read = 60;

std::optional<std::int64_t> bytes_of(const std::string& type) {
  static const std::map<std::string, std::int64_t> sizes = {
      {"char", 1},        {"cl_char", 1},    {"cl_uchar", 1}, {"short", 2},      {"cl_short", 2}, {"int", 4},
      {"cl_int", 4},      {"unsigned", 4},   {"cl_uint", 4},  {"float", 4},      {"cl_float", 4}, {"double", 8},
      {"cl_double", 8},   {"long", 8},       {"cl_long", 8},  {"cl_ulong", 8},   {"size_t", 8},   {"cl_mem", 8},
      {"cl_sampler", 8},  {"cl_float2", 8},  {"cl_int2", 8},  {"cl_float4", 16}, {"cl_int4", 16}, {"cl_uint4", 16},
      {"cl_double2", 16}, {"cl_double4", 32}};
  const auto found = sizes.find(type);
  return found == sizes.end() ? std::nullopt : std::optional(found->second);
}

int strength(std::string_view op) {
  static const std::map<std::string_view, int> of = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                                                     {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                                                     {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};
  const auto found = of.find(op);
  return found == of.end() ? 0 : found->second;
}

class TokenReader {
 public:
  TokenReader(std::string_view text, const Place& place)
      : text_(text), tokens_(source::host::tokens_of(text)), place_(place) {}

  std::vector<Node> all() {
    std::vector<Node> out;
    while (at_ < tokens_.size()) {
      if (is("{") || is("}") || is(";") || tokens_[at_].kind == Token::Kind::Directive) {
        ++at_;
        continue;
      }
      const auto begin = at_;
      if (const auto made = skip_type(); !made.empty()) {  // Class name(arguments)
        if (auto call = postfix(0); call && call->kind == Kind::Call) {
          auto name = call->text;
          call->kind = Kind::Construct;
          call->text = made;
          out.push_back(make(Kind::Assign, "=", {make(Kind::Name, std::move(name)), std::move(*call)}));
        }
      } else if (auto node = assignment(0); node && (is(";") || at_ >= tokens_.size() || is(","))) {
        out.push_back(std::move(*node));
        while (take(",")) {  // int a = 1, *b = 2
          while (take("*")) {
          }
          if (auto next = assignment(0)) out.push_back(std::move(*next));
        }
      } else {
        at_ = begin;
        if (auto plain = assignment(0)) out.push_back(std::move(*plain));
      }
      while (at_ < tokens_.size() && !is(";") && !is("{") && !is("}")) ++at_;
      if (at_ == begin) ++at_;
    }
    return out;
  }

 private:
  bool is(std::string_view what) const { return at_ < tokens_.size() && tokens_[at_].is(what); }
  bool word(std::size_t at) const { return at < tokens_.size() && tokens_[at].kind == Token::Kind::Word; }
  bool take(std::string_view what) {
    if (!is(what)) return false;
    ++at_;
    return true;
  }
  Node make(Kind kind, std::string text, std::vector<Node> parts = {}) const {
    Node out;
    out.kind = kind;
    out.text = std::move(text);
    out.parts = std::move(parts);
    out.place = place_;
    return out;
  }
  /// Gives what was read since `first` its own place.
  std::optional<Node> located(std::optional<Node> node, std::size_t first) const {
    const bool in_text = place_.end >= place_.begin + text_.size() && !place_.in_macro;
    if (!node || !in_text || first >= at_ || at_ > tokens_.size()) return node;
    const auto begin = tokens_[first].begin;
    node->place.begin = place_.begin + static_cast<std::uint32_t>(begin);
    node->place.end = place_.begin + static_cast<std::uint32_t>(tokens_[at_ - 1].end);
    node->place.line = place_.line + static_cast<std::uint32_t>(std::ranges::count(text_.substr(0, begin), '\n'));
    return node;
  }

  /// `unsigned int *` before `name =`: passed over, so that a declaration reads as an assignment. The class of
  /// `Class name(...)` comes back.
  std::string skip_type() {
    static const std::set<std::string_view> no_types = {"return", "else", "delete", "throw", "new", "goto", "case"};
    auto at = at_;
    std::size_t words = 0;
    std::string type;
    std::size_t last = at_;
    while (at < tokens_.size()) {
      if (word(at)) {
        if (no_types.contains(tokens_[at].text)) return {};
        const bool qualified = at > at_ && tokens_[at - 1].is("::");
        words += qualified ? 0 : 1;
        last = at++;
      } else if (tokens_[at].is("*") || tokens_[at].is("&") || tokens_[at].is("::")) {
        ++at;
      } else if (tokens_[at].is("<") && words > 0) {
        const auto begin = at;
        while (at < tokens_.size() && !tokens_[at].is(">") && !tokens_[at].is(";") && at - begin < 40) ++at;
        if (at >= tokens_.size() || !tokens_[at].is(">")) return {};
        ++at;
      } else {
        break;
      }
    }
    if (words < 2 || at >= tokens_.size() || last + 1 != at) return {};
    if (!tokens_[at].is("=") && !tokens_[at].is("(")) return {};
    for (auto t = at_; t < last && !tokens_[t].is("<"); ++t) type += tokens_[t].text;
    at_ = last;
    return tokens_[at].is("(") ? type : std::string();
  }

  std::optional<Node> assignment(int depth) {
    if (depth > deepest_expression_read) return std::nullopt;
    const auto first = at_;
    auto left = conditional(depth + 1);
    if (!left) return std::nullopt;
    for (const auto* op : {"=", "+=", "-=", "*=", "/="}) {
      if (!take(op)) continue;
      auto right = assignment(depth + 1);
      if (!right) return std::nullopt;
      return located(make(Kind::Assign, op, {std::move(*left), std::move(*right)}), first);
    }
    return located(std::move(left), first);
  }

  std::optional<Node> conditional(int depth) {
    auto condition = binary(1, depth + 1);
    if (!condition || !take("?")) return condition;
    auto then = assignment(depth + 1);
    if (!then || !take(":")) return std::nullopt;
    auto otherwise = assignment(depth + 1);
    if (!otherwise) return std::nullopt;
    return make(Kind::Select, {}, {std::move(*condition), std::move(*then), std::move(*otherwise)});
  }

  std::optional<Node> binary(int least, int depth) {
    if (depth > deepest_expression_read) return std::nullopt;
    auto left = unary(depth + 1);
    while (left && at_ < tokens_.size()) {
      const std::string op(tokens_[at_].text);
      const int binds = tokens_[at_].kind == Token::Kind::Punctuation ? strength(op) : 0;
      if (binds < least) break;
      ++at_;
      auto right = binary(binds + 1, depth + 1);
      if (!right) return std::nullopt;
      left = make(op == "&&" || op == "||" ? Kind::Logic : Kind::Binary, op, {std::move(*left), std::move(*right)});
    }
    return left;
  }

  std::optional<Node> unary(int depth) {
    if (depth > deepest_expression_read) return std::nullopt;
    for (const auto& [op, kind] :
         {std::pair("&", Kind::AddressOf), std::pair("*", Kind::Deref), std::pair("-", Kind::Unary),
          std::pair("!", Kind::Unary), std::pair("~", Kind::Unary)}) {
      if (!take(op)) continue;
      auto of = unary(depth + 1);
      if (!of) return std::nullopt;
      return make(kind, kind == Kind::Unary ? op : "", {std::move(*of)});
    }
    if (take("++") || take("--")) {
      const std::string op = std::string(tokens_[at_ - 1].text) + "x";
      auto of = unary(depth + 1);
      if (!of) return std::nullopt;
      return make(Kind::Increment, op, {std::move(*of)});
    }
    if (is("(")) {  // a cast: (words and stars) before something
      auto at = at_ + 1;
      bool type = word(at);
      while (at < tokens_.size() && (word(at) || tokens_[at].is("*") || tokens_[at].is("::"))) ++at;
      const bool closed = at < tokens_.size() && tokens_[at].is(")");
      const bool operand =
          at + 1 < tokens_.size() && (word(at + 1) || tokens_[at + 1].is("&") || tokens_[at + 1].is("(") ||
                                      tokens_[at + 1].kind == Token::Kind::Number);
      const bool starred = closed && (tokens_[at - 1].is("*") || (word(at + 1) && at > at_ + 1));
      type = type && closed && operand && (starred || at > at_ + 2);
      if (type) {
        at_ = at + 1;
        return unary(depth + 1);
      }
    }
    return postfix(depth + 1);
  }

  std::optional<std::vector<Node>> arguments(int depth) {
    std::vector<Node> out;
    if (take(")")) return out;
    for (;;) {
      auto one = assignment(depth + 1);
      if (!one) return std::nullopt;
      out.push_back(std::move(*one));
      if (take(")")) return out;
      if (!take(",")) return std::nullopt;
    }
  }

  std::optional<Node> primary(int depth) {
    if (at_ >= tokens_.size()) return std::nullopt;
    const auto& token = tokens_[at_];
    if (token.kind == Token::Kind::Number) {
      ++at_;
      const std::string digits(token.text);
      const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
      const bool real = !hex && digits.find_first_of(".eE") != std::string::npos;
      if (real || (!hex && digits.ends_with("f"))) return make(Kind::Real, digits);
      return make(Kind::Integer, std::to_string(std::strtoll(digits.c_str(), nullptr, 0)));
    }
    if (token.kind == Token::Kind::String || token.kind == Token::Kind::RawString) {
      source::host::Decoded text;
      while (at_ < tokens_.size() &&
             (tokens_[at_].kind == Token::Kind::String || tokens_[at_].kind == Token::Kind::RawString))
        decode(tokens_[at_++], text);
      return make(Kind::Text, text.text);
    }
    if (take("(")) {
      auto inside = assignment(depth + 1);
      if (!inside || !take(")")) return std::nullopt;
      return inside;
    }
    if (token.kind != Token::Kind::Word) return std::nullopt;
    std::string name(token.text);
    ++at_;
    if (name == "NULL" || name == "nullptr") return make(Kind::Null, {});
    if (name == "true" || name == "false") return make(Kind::Integer, name == "true" ? "1" : "0");
    if (name == "this") return make(Kind::This, {});
    if (name == "sizeof") {
      std::string type;
      if (take("(")) {
        int open = 1;
        while (at_ < tokens_.size() && open > 0) {
          if (is("(")) ++open;
          if (is(")")) --open;
          if (open > 0 && word(at_)) type = tokens_[at_].text;
          if (open > 0 && is("*")) type = "cl_mem";
          ++at_;
        }
      } else if (word(at_)) {
        ++at_;
      }
      const auto bytes = bytes_of(type);
      return bytes ? make(Kind::Integer, std::to_string(*bytes)) : make(Kind::Opaque, "the size of " + type);
    }
    while (is("::") && word(at_ + 1)) {
      name += "::" + std::string(tokens_[at_ + 1].text);
      at_ += 2;
    }
    return make(Kind::Name, name);
  }

  std::optional<Node> postfix(int depth) {
    const auto first = at_;
    auto out = primary(depth + 1);
    while (out && at_ < tokens_.size()) {
      out = located(std::move(out), first);
      if (take("(")) {
        auto list = arguments(depth + 1);
        if (!list) return std::nullopt;
        if (out->kind == Kind::Name) {
          out = make(Kind::Call, out->text, std::move(*list));
        } else if (out->kind == Kind::Member) {
          list->insert(list->begin(), std::move(out->parts[0]));
          out = make(Kind::MethodCall, out->text, std::move(*list));
        } else {
          list->insert(list->begin(), std::move(*out));
          out = make(Kind::CallValue, {}, std::move(*list));
        }
      } else if (take("[")) {
        auto index = assignment(depth + 1);
        if (!index || !take("]")) return std::nullopt;
        out = make(Kind::Index, {}, {std::move(*out), std::move(*index)});
      } else if (is(".") || is("->")) {
        const bool arrow = is("->");
        ++at_;
        if (!word(at_)) return std::nullopt;
        if (arrow) out = make(Kind::Deref, {}, {std::move(*out)});
        out = make(Kind::Member, std::string(tokens_[at_++].text), {std::move(*out)});
      } else if (is("++") || is("--")) {
        out = make(Kind::Increment, "x" + std::string(tokens_[at_++].text), {std::move(*out)});
      } else {
        break;
      }
    }
    return located(std::move(out), first);
  }

  std::string_view text_;
  Tokens tokens_;
  Place place_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Node> statements_in(const std::string& text, const Place& place) {
  if (text.size() > 8000) return {};
  return TokenReader(text, place).all();
}

}  // namespace hone::host
