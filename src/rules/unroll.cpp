#include "rules/unroll.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/arith.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// for (T k = begin; k < end; k += step) with nothing else moving k.
struct Counted {
  std::string name;
  Type type;
  NodePtr begin;
  long long step = 1;
};

std::optional<long long> step_of(const NodePtr& e, const std::string& name) {
  if (is(e, Kind::Unary) && e->text.ends_with("++") && is(operand(e), Kind::Name, name)) return 1;
  if (is(e, Kind::Assign, "+=") && is(left(e), Kind::Name, name)) return int_value(right(e));
  return std::nullopt;
}

bool jumps(const NodePtr& s) {
  if (s->kind == Kind::Break || s->kind == Kind::Continue) return true;
  if (s->kind == Kind::For || s->kind == Kind::While || s->kind == Kind::DoWhile) return false;
  return std::any_of(s->children.begin(), s->children.end(), jumps);
}

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
  if (!step || *step < 1 || moves || jumps(for_body(loop))) return std::nullopt;
  return Counted{v->text, v->type, value_of(v), *step};
}

Nodes unrolled(const NodePtr& loop, const Counted& c, int factor) {
  const auto counter = name(c.name, c.type);
  const auto& condition = for_condition(loop);
  Nodes bodies;
  for (int i = 0; i < factor; ++i) {
    auto copy = substitute(for_body(loop), {{c.name, plus(counter, c.step * i)}});
    const bool opens = any_of(copy, [](const NodePtr& n) { return n->kind == Kind::Declare; });
    if (is(copy, Kind::Block) && !opens)
      bodies.insert(bodies.end(), copy->children.begin(), copy->children.end());
    else
      bodies.push_back(copy);
  }
  const auto last = plus(counter, c.step * (factor - 1));
  Type type = c.type;
  type.is_const = false;
  auto main = for_loop(empty(), binary(condition->text, last, right(condition)),
                       assign(counter, int_literal(c.step * factor), "+="), block(std::move(bodies)));
  auto rest = for_loop(empty(), condition, for_step(loop), for_body(loop));
  return {block({declare(type, c.name, c.begin), main, rest})};
}

}  // namespace

std::vector<std::string> counted_loops(const NodePtr& function) {
  std::vector<std::string> out;
  const auto loops = find_all(function, Kind::For);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    if (const auto c = counted(*loop);
        c && !has_barrier(*loop) && std::find(out.begin(), out.end(), c->name) == out.end())
      out.push_back(c->name);
  return out;
}

Result<NodePtr> unroll(const Unit& unit, const NodePtr& function, const std::string& variable, int factor) {
  if (auto reason = obstacle(unit, function); !reason.empty()) return fail("E-DECLINED", reason);
  if (factor == 1) return function;
  std::size_t found = 0;
  const std::function<NodePtr(const NodePtr&)> change = [&](const NodePtr& n) -> NodePtr {
    if (n->kind != Kind::For) return n;
    const auto c = counted(n);
    if (!c || c->name != variable || any_of(for_body(n), [](const NodePtr& x) { return x->kind == Kind::Return; }))
      return n;
    ++found;
    return unrolled(n, *c, factor).front();
  };
  auto out = rewrite(function, change);
  if (found == 0) return fail("E-DECLINED", "no loop over " + variable + " counts upwards to a bound it leaves alone");
  return out;
}

}  // namespace hone::rules
