#include "search/condition.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/arithmetic.hpp"

namespace hone::search {

namespace {

using Kind = Expression::Kind;
using Node = Expression::Node;
using Code = Operation::Code;
using Found = std::optional<std::size_t>;

constexpr double exact_limit = 9007199254740992.0;  // 2^53

void collect_strings(const Node& node, std::set<std::string>& strings) {
  if (const auto* text = std::get_if<std::string>(&node.value)) strings.insert(*text);
  for (const auto& operand : node.operands) collect_strings(*operand, strings);
}

class Compiler {
 public:
  Compiler(const Space& space, const NumberTables& tables) : tables_(tables) {
    for (std::size_t i = 0; i < space.parameters.size(); ++i) index_[space.parameters[i].name] = i;
  }

  std::optional<Condition> run(const Expression& expression) {
    const auto root = visit(expression.root());
    if (!root || out_.steps[*root].textual) return std::nullopt;
    return compacted(*root);
  }

 private:
  /// Without the steps that flattening made superfluous.
  Condition compacted(std::size_t root) {
    std::vector<bool> needed(out_.steps.size(), false);
    needed[root] = true;
    for (std::size_t i = root + 1; i-- > 0;) {
      if (!needed[i]) continue;
      for (const auto operand : out_.steps[i].operands) needed[operand] = true;
    }
    Condition kept;
    std::vector<std::size_t> renamed(out_.steps.size(), 0);
    for (std::size_t i = 0; i <= root; ++i) {
      if (!needed[i]) continue;
      renamed[i] = kept.steps.size();
      kept.steps.push_back(std::move(out_.steps[i]));
      for (auto& operand : kept.steps.back().operands) operand = renamed[operand];
    }
    kept.variables.assign(used_.begin(), used_.end());
    return kept;
  }

  std::size_t add(Operation step) {
    out_.steps.push_back(std::move(step));
    return out_.steps.size() - 1;
  }
  const Operation& step(std::size_t i) const { return out_.steps[i]; }

  Found visit(const Node& node) {
    switch (node.kind) {
      case Kind::Literal: return literal(node.value);
      case Kind::Name: return name(node.text);
      case Kind::Unary: return unary(node);
      case Kind::Binary: return binary(node);
      case Kind::Compare: return comparison(node);
      case Kind::And: return variadic(Code::And, node);
      case Kind::Or: return variadic(Code::Or, node);
      case Kind::Call: return call(node);
      case Kind::Select: return variadic(Code::Select, node);
      case Kind::List: break;
    }
    return std::nullopt;
  }

  Found literal(const Value& value) {
    Operation step;
    if (const auto* text = std::get_if<std::string>(&value)) {
      const auto at = std::lower_bound(tables_.strings.begin(), tables_.strings.end(), *text);
      if (at == tables_.strings.end() || *at != *text) return std::nullopt;
      step.constant = static_cast<double>(at - tables_.strings.begin());
      step.textual = true;
      return add(step);
    }
    step.constant = *as_real(value);
    step.integral = !std::holds_alternative<double>(value);
    if (!(std::abs(step.constant) < exact_limit)) return std::nullopt;
    return add(step);
  }

  Found name(const std::string& name) {
    const auto found = index_.find(name);
    if (found == index_.end() || tables_.mixed[found->second]) return std::nullopt;
    used_.insert(found->second);
    Operation step{
        Code::Variable, 0, found->second, {}, tables_.integral[found->second], tables_.textual[found->second]};
    return add(std::move(step));
  }

  Found unary(const Node& node) {
    const auto operand = number(*node.operands[0]);
    if (!operand) return std::nullopt;
    if (node.text == "not") return add({Code::Not, 0, 0, {*operand}, true, false});
    return add({Code::Negative, 0, 0, {*operand}, step(*operand).integral, false});
  }

  /// A step that is not a string.
  Found number(const Node& node) {
    const auto index = visit(node);
    return index && !step(*index).textual ? index : std::nullopt;
  }

  Found binary(const Node& node) {
    const auto left = number(*node.operands[0]);
    if (!left) return std::nullopt;
    const auto right = number(*node.operands[1]);
    if (!right) return std::nullopt;
    const bool integral = step(*left).integral && step(*right).integral;
    if (node.text == "-") {
      const auto negative = add({Code::Negative, 0, 0, {*right}, step(*right).integral, false});
      return flattened(Code::Sum, *left, negative, integral);
    }
    if (node.text == "+") return flattened(Code::Sum, *left, *right, integral);
    if (node.text == "*") return flattened(Code::Product, *left, *right, integral);
    static const std::map<std::string, Code> codes = {
        {"/", Code::Divide}, {"//", Code::FloorDivide}, {"%", Code::Remainder}, {"**", Code::Power}};
    const Code code = codes.at(node.text);
    const bool whole = integral && (code == Code::FloorDivide || code == Code::Remainder);
    return add({code, 0, 0, {*left, *right}, whole, false});
  }

  /// Sums and products of integers become one step of many operands, so that any subset of them can be folded first.
  std::size_t flattened(Code code, std::size_t left, std::size_t right, bool integral) {
    std::vector<std::size_t> operands;
    for (const auto side : {left, right}) {
      if (integral && step(side).code == code) {
        operands.insert(operands.end(), step(side).operands.begin(), step(side).operands.end());
      } else {
        operands.push_back(side);
      }
    }
    return add({code, 0, 0, std::move(operands), integral, false});
  }

  Found variadic(Code code, const Node& node) {
    std::vector<std::size_t> operands;
    for (const auto& child : node.operands) {
      const auto operand = number(*child);
      if (!operand) return std::nullopt;
      operands.push_back(*operand);
    }
    return add({code, 0, 0, std::move(operands), false, false});
  }

  Found comparison(const Node& node) {
    std::vector<std::size_t> links;
    auto left = visit(*node.operands[0]);
    for (std::size_t i = 0; left && i < node.operators.size(); ++i) {
      const auto& op = node.operators[i];
      const Node& operand = *node.operands[i + 1];
      if (op == "in" || op == "not in") {
        if (operand.kind != Kind::List || i + 1 < node.operators.size()) return std::nullopt;
        const auto link = member(*left, operand, op == "not in");
        if (!link) return std::nullopt;
        links.push_back(*link);
        break;
      }
      const auto right = visit(operand);
      if (!right || step(*left).textual != step(*right).textual) return std::nullopt;
      links.push_back(compared(op, *left, *right));
      left = right;
    }
    if (!left) return std::nullopt;
    if (links.size() == 1) return links.front();
    return add({Code::And, 0, 0, std::move(links), true, false});
  }

  Found member(std::size_t sought, const Node& list, bool negated) {
    std::vector<std::size_t> operands = {sought};
    for (const auto& item : list.operands) {
      const auto operand = visit(*item);
      if (!operand || step(*operand).textual != step(sought).textual) return std::nullopt;
      operands.push_back(*operand);
    }
    const auto found = add({Code::Member, 0, 0, std::move(operands), true, false});
    return negated ? add({Code::Not, 0, 0, {found}, true, false}) : found;
  }

  std::size_t compared(const std::string& op, std::size_t left, std::size_t right) {
    if (op == "<") return add({Code::Less, 0, 0, {left, right}, true, false});
    if (op == "<=") return add({Code::LessEqual, 0, 0, {left, right}, true, false});
    if (op == ">") return add({Code::Less, 0, 0, {right, left}, true, false});
    if (op == ">=") return add({Code::LessEqual, 0, 0, {right, left}, true, false});
    return add({op == "==" ? Code::Equal : Code::NotEqual, 0, 0, {left, right}, true, false});
  }

  Found call(const Node& node) {
    static const std::map<std::string, Code> codes = {
        {"min", Code::Minimum},         {"max", Code::Maximum},        {"abs", Code::Absolute},
        {"floor", Code::Floor},         {"math.floor", Code::Floor},   {"ceil", Code::Ceiling},
        {"math.ceil", Code::Ceiling},   {"round", Code::Round},        {"int", Code::Truncate},
        {"sqrt", Code::Root},           {"math.sqrt", Code::Root},     {"log2", Code::Logarithm},
        {"math.log2", Code::Logarithm}, {"ceil_div", Code::CeilDivide}};
    const auto found = codes.find(node.text);
    if (found == codes.end() || node.operands.empty()) return std::nullopt;
    const auto code = found->second;
    const bool variadic_call = code == Code::Minimum || code == Code::Maximum;
    if (!variadic_call && node.operands.size() != (code == Code::CeilDivide ? 2U : 1U)) return std::nullopt;
    const auto index = variadic(code, node);
    if (!index) return std::nullopt;
    const auto& operands = step(*index).operands;
    const bool integral = std::all_of(operands.begin(), operands.end(), [&](auto i) { return step(i).integral; });
    const bool rounds = code == Code::Floor || code == Code::Ceiling || code == Code::Round || code == Code::Truncate;
    out_.steps[*index].integral = rounds || (integral && code != Code::Root && code != Code::Logarithm);
    return index;
  }

  const NumberTables& tables_;
  std::map<std::string, std::size_t> index_;
  std::set<std::size_t> used_;
  Condition out_;
};

}  // namespace

NumberTables NumberTables::of(const Space& space) {
  NumberTables tables;
  std::set<std::string> strings;
  for (const auto& parameter : space.parameters) {
    for (const auto& value : parameter.values) {
      if (const auto* text = std::get_if<std::string>(&value)) strings.insert(*text);
    }
  }
  for (const auto& constraint : space.constraints) collect_strings(constraint.condition.root(), strings);
  tables.strings.assign(strings.begin(), strings.end());
  for (const auto& parameter : space.parameters) {
    std::vector<double> numbers;
    std::size_t texts = 0;
    bool integral = true, large = false;
    for (const auto& value : parameter.values) {
      if (const auto* text = std::get_if<std::string>(&value)) {
        const auto at = std::lower_bound(tables.strings.begin(), tables.strings.end(), *text);
        numbers.push_back(static_cast<double>(at - tables.strings.begin()));
        ++texts;
        continue;
      }
      numbers.push_back(*as_real(value));
      integral = integral && !std::holds_alternative<double>(value);
      large = large || !(std::abs(numbers.back()) < exact_limit);
    }
    const bool textual = texts > 0;
    tables.mixed.push_back(large || (textual && texts < numbers.size()));
    tables.textual.push_back(textual);
    tables.integral.push_back(integral && !textual);
    tables.values.push_back(std::move(numbers));
  }
  return tables;
}

std::optional<Condition> compile(const Expression& condition, const Space& space, const NumberTables& tables) {
  return Compiler(space, tables).run(condition);
}

}  // namespace hone::search
