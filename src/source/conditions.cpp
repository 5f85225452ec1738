#include "source/conditions.hpp"

#include <charconv>
#include <map>

namespace hone::source::host {
namespace {

/// What a device with OpenCL 1.2, double precision and little endian bytes says.
std::optional<long long> usual_value(std::string_view name) {
  static const std::map<std::string_view, long long> values = {{"__OPENCL_VERSION__", 120},
                                                               {"__OPENCL_C_VERSION__", 120},
                                                               {"CL_VERSION_1_0", 100},
                                                               {"CL_VERSION_1_1", 110},
                                                               {"CL_VERSION_1_2", 120},
                                                               {"__ENDIAN_LITTLE__", 1},
                                                               {"__IMAGE_SUPPORT__", 1},
                                                               {"cl_khr_fp64", 1},
                                                               {"cl_khr_byte_addressable_store", 1},
                                                               {"cl_khr_global_int32_base_atomics", 1},
                                                               {"cl_khr_global_int32_extended_atomics", 1},
                                                               {"cl_khr_local_int32_base_atomics", 1},
                                                               {"cl_khr_local_int32_extended_atomics", 1},
                                                               {"cl_khr_int64_base_atomics", 1},
                                                               {"cl_khr_int64_extended_atomics", 1},
                                                               {"cl_khr_3d_image_writes", 1}};
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// An integer expression of the preprocessor; nothing where a device decides.
class Evaluator {
 public:
  Evaluator(const Tokens& tokens, bool usual) : tokens_(tokens), usual_(usual) {}
  std::optional<long long> all() {
    auto value = binary(0);
    if (at_ < tokens_.size() && tokens_[at_].is("?")) {
      ++at_;
      const auto yes = binary(0);
      if (at_ < tokens_.size() && tokens_[at_].is(":")) ++at_;
      const auto no = binary(0);
      if (!value) return std::nullopt;
      return *value != 0 ? yes : no;
    }
    return value;
  }

 private:
  using Number = std::optional<long long>;

  static int level(std::string_view op) {
    static const std::map<std::string_view, int> levels = {
        {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
        {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    const auto found = levels.find(op);
    return found == levels.end() ? 0 : found->second;
  }

  Number binary(int above) {
    if (++deep_ > 200) return 0;
    auto left = unary();
    while (at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::Punctuation && level(tokens_[at_].text) > above) {
      const auto op = tokens_[at_++].text;
      left = joined(op, left, binary(level(op)));
    }
    --deep_;
    return left;
  }

  static Number joined(std::string_view op, Number a, Number b) {
    if (op == "&&") {
      if ((a && *a == 0) || (b && *b == 0)) return 0;
      return a && b ? Number(1) : std::nullopt;
    }
    if (op == "||") {
      if ((a && *a != 0) || (b && *b != 0)) return 1;
      return a && b ? Number(0) : std::nullopt;
    }
    if (!a || !b) return std::nullopt;
    const auto x = static_cast<unsigned long long>(*a);
    const auto y = static_cast<unsigned long long>(*b);
    if (op == "+") return static_cast<long long>(x + y);
    if (op == "-") return static_cast<long long>(x - y);
    if (op == "*") return static_cast<long long>(x * y);
    if (op == "/" || op == "%") {
      if (*b == 0 || *b == -1) return 0;
      return op == "/" ? *a / *b : *a % *b;
    }
    if (op == "<<") return static_cast<long long>(x << (y & 63U));
    if (op == ">>") return *a >> (y & 63U);
    if (op == "<") return *a < *b ? 1 : 0;
    if (op == ">") return *a > *b ? 1 : 0;
    if (op == "<=") return *a <= *b ? 1 : 0;
    if (op == ">=") return *a >= *b ? 1 : 0;
    if (op == "==") return *a == *b ? 1 : 0;
    if (op == "!=") return *a != *b ? 1 : 0;
    if (op == "&") return *a & *b;
    if (op == "|") return *a | *b;
    return *a ^ *b;
  }

  Number unary() {
    if (at_ >= tokens_.size() || ++deep_ > 200) return 0;
    const auto& token = tokens_[at_++];
    Number out = 0;
    if (token.is("!")) {
      out = unary();
      if (out) out = *out == 0 ? 1 : 0;
    } else if (token.is("-")) {
      out = unary();
      if (out) out = static_cast<long long>(0ULL - static_cast<unsigned long long>(*out));
    } else if (token.is("~")) {
      out = unary();
      if (out) out = ~*out;
    } else if (token.is("+")) {
      out = unary();
    } else if (token.is("(")) {
      out = binary(0);
      if (at_ < tokens_.size() && tokens_[at_].is(")")) ++at_;
    } else if (token.kind == Token::Kind::Number) {
      out = static_cast<long long>(std::strtoull(std::string(token.text).c_str(), nullptr, 0));
    } else if (token.kind == Token::Kind::Word) {
      if (at_ < tokens_.size() && tokens_[at_].is("(")) at_ = after_matching(tokens_, at_, tokens_.size());
      if (token.is("true")) {
        out = 1;
      } else if (is_device_name(token.text)) {
        out = usual_ ? Number(usual_value(token.text).value_or(0)) : std::nullopt;
      }
    }
    --deep_;
    return out;
  }

  const Tokens& tokens_;
  bool usual_;
  std::size_t at_ = 0;
  int deep_ = 0;
};

}  // namespace

bool is_device_name(std::string_view name) {
  if (usual_value(name)) return true;
  for (const std::string_view start : {"cl_", "__", "CL_VERSION", "CL_DEVICE"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

std::optional<bool> Conditions::holds(std::string_view directive, bool usual) const {
  const auto tokens = tokens_of(directive.substr(1), false);
  if (tokens.size() < 2) return false;
  const auto is_defined = [&](std::string_view name) -> std::optional<bool> {
    if (macros_.contains(name)) return true;
    if (!is_device_name(name)) return false;
    if (usual) return usual_value(name).has_value();
    return std::nullopt;
  };
  if (tokens[0].is("ifdef") || tokens[0].is("elifdef")) return is_defined(tokens[1].text);
  if (tokens[0].is("ifndef") || tokens[0].is("elifndef")) {
    const auto known = is_defined(tokens[1].text);
    return known ? std::optional(!*known) : std::nullopt;
  }
  // `defined` first, then macros, then numbers.
  std::string text;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].is("\\")) continue;
    if (!tokens[i].is("defined")) {
      text += std::string(tokens[i].text) + " ";
      continue;
    }
    const bool bracket = i + 1 < tokens.size() && tokens[i + 1].is("(");
    const auto name = i + (bracket ? 2 : 1);
    if (name >= tokens.size()) break;
    const auto known = is_defined(tokens[name].text);
    text += known ? (*known ? "1 " : "0 ") : "__undecided ";
    i = name + (bracket ? 1 : 0);
  }
  const auto expanded = expand_all(text, macros_);
  const auto value = Evaluator(tokens_of(expanded, false), usual).all();
  return value ? std::optional(*value != 0) : std::nullopt;
}

}  // namespace hone::source::host
