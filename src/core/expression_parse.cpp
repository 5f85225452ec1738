// Recursive descent, one function for each level of precedence; Python's precedence throughout.

#include <charconv>
#include <limits>

#include "base/text.hpp"
#include "core/arithmetic.hpp"
#include "core/expression.hpp"
#include "core/expression_lex.hpp"

namespace hone {

using Node = Expression::Node;
using NodePtr = Expression::NodePtr;
using Kind = Expression::Kind;

namespace {

constexpr int deepest = 200;

NodePtr make(Kind kind, std::string text, std::vector<NodePtr> operands, std::vector<std::string> operators = {}) {
  return std::make_shared<const Node>(Node{kind, Value(), std::move(text), std::move(operators), std::move(operands)});
}

bool is_word(std::string_view text) {
  for (const std::string_view word : {"and", "or", "not", "in", "if", "else"}) {
    if (text == word) return true;
  }
  return false;
}
bool is_truth(std::string_view text) { return text == "true" || text == "True" || text == "false" || text == "False"; }

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Result<Expression> run() {
    auto node = conditional();
    if (node && peek().kind != Token::Kind::End) return fail(error("expected an operator or the end"));
    if (!node) return fail(node.error());
    return Expression(std::move(*node));
  }

 private:
  using Parsed = Result<NodePtr>;

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  Error error(std::string_view what) const { return expression_error(text_, peek().offset, what); }
  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    ++at_;
    return true;
  }

  Parsed conditional() {
    if (++depth_ > deepest) return fail(error("nested too deeply"));
    auto value = disjunction();
    if (value && accept("if")) value = select(std::move(*value));
    --depth_;
    return value;
  }

  Parsed select(NodePtr value) {
    auto condition = disjunction();
    if (!condition) return condition;
    if (!accept("else")) return fail(error("expected else"));
    auto otherwise = conditional();
    if (!otherwise) return otherwise;
    return make(Kind::Select, "", {std::move(value), std::move(*condition), std::move(*otherwise)});
  }

  Parsed chain(Kind kind, std::string_view word, Parsed (Parser::*next)()) {
    std::vector<NodePtr> operands;
    do {
      auto operand = (this->*next)();
      if (!operand) return operand;
      operands.push_back(std::move(*operand));
    } while (accept(word));
    return operands.size() == 1 ? operands.front() : make(kind, "", std::move(operands));
  }

  Parsed disjunction() { return chain(Kind::Or, "or", &Parser::conjunction); }
  Parsed conjunction() { return chain(Kind::And, "and", &Parser::negation); }

  Parsed negation() {
    if (!accept("not")) return comparison();
    if (++depth_ > deepest) return fail(error("nested too deeply"));
    auto operand = negation();
    --depth_;
    if (!operand) return operand;
    return make(Kind::Unary, "not", {std::move(*operand)});
  }

  std::string accept_comparison() {
    for (const std::string_view op : {"<", "<=", ">", ">=", "==", "!=", "in"}) {
      if (accept(op)) return std::string(op);
    }
    if (!peek().is("not") || !peek(1).is("in")) return "";
    at_ += 2;
    return "not in";
  }

  Parsed comparison() {
    std::vector<std::string> operators;
    std::vector<NodePtr> operands;
    for (;;) {
      auto operand = sum();
      if (!operand) return operand;
      operands.push_back(std::move(*operand));
      auto op = accept_comparison();
      if (op.empty()) break;
      operators.push_back(std::move(op));
    }
    if (operators.empty()) return operands.front();
    return make(Kind::Compare, "", std::move(operands), std::move(operators));
  }

  Parsed left_associative(std::initializer_list<std::string_view> operators, Parsed (Parser::*next)()) {
    auto left = (this->*next)();
    while (left) {
      std::string op;
      for (const auto candidate : operators) {
        if (op.empty() && accept(candidate)) op = candidate;
      }
      if (op.empty()) return left;
      auto right = (this->*next)();
      if (!right) return right;
      left = make(Kind::Binary, std::move(op), {std::move(*left), std::move(*right)});
    }
    return left;
  }

  Parsed sum() { return left_associative({"+", "-"}, &Parser::product); }
  Parsed product() { return left_associative({"*", "/", "//", "%"}, &Parser::sign); }

  Parsed sign() {
    if (!peek().is("-") && !peek().is("+")) return power();
    const bool minus = accept("-");
    if (!minus) accept("+");
    // "-3" is one literal; "-3 ** 2" and "-(3)" are the minus of something.
    const bool literal = minus && peek().kind == Token::Kind::Number && !peek(1).is("**");
    if (literal) return number("-" + tokens_[at_].text);
    if (++depth_ > deepest) return fail(error("nested too deeply"));
    auto operand = sign();
    --depth_;
    if (!operand || !minus) return operand;
    return make(Kind::Unary, "-", {std::move(*operand)});
  }

  Parsed power() {
    auto base = atom();
    if (!base || !accept("**")) return base;
    if (++depth_ > deepest) return fail(error("nested too deeply"));
    auto exponent = sign();
    --depth_;
    if (!exponent) return exponent;
    return make(Kind::Binary, "**", {std::move(*base), std::move(*exponent)});
  }

  Parsed number(const std::string& spelling) {
    Node node;
    const char *begin = spelling.data(), *end = begin + spelling.size();
    if (spelling.find_first_of(".eE") == std::string::npos) {
      std::int64_t integer = 0;
      if (std::from_chars(begin, end, integer).ec != std::errc()) return fail(error("this integer is too large"));
      node.value = integer;
    } else {
      double real = 0;
      const auto outcome = std::from_chars(begin, end, real);
      if (outcome.ec == std::errc::result_out_of_range) real = std::strtod(spelling.c_str(), nullptr);
      node.value = real;
    }
    ++at_;
    return std::make_shared<const Node>(std::move(node));
  }

  Parsed atom() {
    const Token token = peek();
    if (token.kind == Token::Kind::Number) return number(token.text);
    if (token.kind == Token::Kind::String) {
      ++at_;
      return literal(Value(token.text));
    }
    if (accept("(")) return parenthesised();
    if (accept("[")) return list("]", {});
    if (token.kind == Token::Kind::Name && token.quoted) {
      ++at_;
      return make(Kind::Name, token.text, {});
    }
    if (token.kind != Token::Kind::Name || is_word(token.text))
      return fail(error(is_word(token.text) && token.kind == Token::Kind::Name
                            ? "expected a value; a name like this is written between backquotes"
                            : "expected a value"));
    ++at_;
    if (token.text == "true" || token.text == "True") return literal(Value(true));
    if (token.text == "false" || token.text == "False") return literal(Value(false));
    if (!peek().is("(")) return make(Kind::Name, token.text, {});
    return call(token);
  }

  static NodePtr literal(Value value) {
    return std::make_shared<const Node>(Node{Kind::Literal, std::move(value), {}, {}, {}});
  }

  Parsed call(const Token& function) {
    if (!is_function(function.text)) {
      const auto close = nearest(function.text, function_names());
      return fail(expression_error(text_, function.offset,
                                   "unknown function" + (close ? "; did you mean " + *close + "?" : "")));
    }
    ++at_;
    auto arguments = list(")", {});
    if (!arguments) return arguments;
    return make(Kind::Call, function.text, (*arguments)->operands);
  }

  /// A value in parentheses, or Python's tuple, which reads as a list.
  Parsed parenthesised() {
    auto inner = conditional();
    if (!inner || accept(")")) return inner;
    if (!accept(",")) return fail(error("expected )"));
    return list(")", {std::move(*inner)});
  }

  Parsed list(std::string_view close, std::vector<NodePtr> items) {
    while (!accept(close)) {
      auto item = conditional();
      if (!item) return item;
      items.push_back(std::move(*item));
      if (!accept(",") && !peek().is(close)) return fail(error("expected , or " + std::string(close)));
    }
    return make(Kind::List, "", std::move(items));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_expression_word(std::string_view name) { return is_word(name) || is_truth(name); }

Result<Expression> Expression::parse(std::string_view text) {
  auto tokens = lex_expression(text);
  if (!tokens) return fail(tokens.error());
  return Parser(text, std::move(*tokens)).run();
}

}  // namespace hone
