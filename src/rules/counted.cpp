#include "rules/counted.hpp"

#include <algorithm>

#include "ir/rewrite.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

std::optional<long long> step_of(const NodePtr& e, const std::string& name) {
  if (is(e, Kind::Unary) && e->text.ends_with("++") && is(operand(e), Kind::Name, name)) return 1;
  if (is(e, Kind::Assign, "+=") && is(left(e), Kind::Name, name)) return int_value(right(e));
  return std::nullopt;
}

}  // namespace

std::optional<Counted> counted(const NodePtr& loop) {
  const auto& init = for_init(loop);
  if (!is(init, Kind::Declare) || init->children.size() != 1 || !value_of(init->children[0])) return std::nullopt;
  const auto& v = init->children[0];
  const auto& condition = for_condition(loop);
  const bool upwards = is(condition, Kind::Binary, "<") || is(condition, Kind::Binary, "<=");
  if (!upwards || !is(left(condition), Kind::Name, v->text) || !v->type.is_integer()) return std::nullopt;
  const auto step = step_of(for_step(loop), v->text);
  const auto changes = written(for_body(loop));
  const auto limits = read(right(condition));
  const bool moves =
      changes.count(v->text) != 0 ||
      std::any_of(limits.begin(), limits.end(), [&](const std::string& n) { return changes.count(n) != 0; });
  if (!step || *step < 1 || moves || jumps_out(for_body(loop))) return std::nullopt;
  return Counted{v->text, v->type, value_of(v), *step};
}

}  // namespace hone::rules
