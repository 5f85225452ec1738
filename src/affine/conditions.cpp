#include "affine/walker.hpp"

namespace hone::affine {

Constraints Walker::now() const {
  Constraints out = conditions_;
  out.insert(out.end(), axioms_.begin(), axioms_.end());
  return out;
}

bool Walker::assume(const ir::NodePtr& condition, bool truth) {
  using ir::Kind;
  if (ir::is(condition, Kind::Cast)) return assume(ir::operand(condition), truth);
  if (ir::is(condition, Kind::Unary, "!")) return assume(ir::operand(condition), !truth);
  if (ir::is(condition, Kind::Binary, truth ? "&&" : "||")) {
    const bool first = assume(ir::left(condition), truth);
    return assume(ir::right(condition), truth) && first;
  }
  if (!ir::is(condition, Kind::Binary)) {
    value(condition);
    return false;
  }
  static const std::map<std::string, std::string> negated = {{"<", ">="}, {"<=", ">"},  {">", "<="},
                                                             {">=", "<"}, {"==", "!="}, {"!=", "=="}};
  const auto found = negated.find(condition->text);
  if (found == negated.end()) {
    value(condition);
    return false;
  }
  const Known a = value(ir::left(condition));
  const Known b = value(ir::right(condition));
  if (!a.number || !b.number || a.may_wrap || b.may_wrap) return false;
  return assume_comparison(truth ? condition->text : found->second, *a.number, *b.number);
}

bool Walker::assume_comparison(const std::string& op, const Polynomial& a, const Polynomial& b) {
  if (op == "<" || op == "<=") {
    conditions_.push_back(b - a - Polynomial(op == "<" ? 1 : 0));
  } else if (op == ">" || op == ">=") {
    conditions_.push_back(a - b - Polynomial(op == ">" ? 1 : 0));
  } else if (op == "==") {
    conditions_.push_back(a - b);
    conditions_.push_back(b - a);
  } else if (follows(now(), a - b)) {  // != beside an edge cuts the edge off
    conditions_.push_back(a - b - Polynomial(1));
  } else if (follows(now(), b - a)) {
    conditions_.push_back(b - a - Polynomial(1));
  } else {
    return false;
  }
  return true;
}

}  // namespace hone::affine
