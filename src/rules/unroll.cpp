// unroll LOOP COUNT: so many iterations of a counted loop in one, and what is left over after it. The order of the
// iterations stays.
//
//   for (int k = 0; k < n; k++)        ->     int k = 0;
//     s += a[k];                              for (; k + 1 < n; k += 2) { s += a[k]; s += a[k + 1]; }
//                                             for (; k < n; k++) s += a[k];
//
// LOOP is the counter's name, for every loop over it, or a name that Hone prints for one of them: k@2 is the second.
// Declined for loops that count downwards, move their own bound or are left early.

#include <algorithm>

#include "affine/view.hpp"
#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/arith.hpp"
#include "rules/counted.hpp"
#include "rules/facts.hpp"
#include "rules/tile_steps.hpp"

namespace hone::rules {
using namespace ir;

namespace {

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

bool can_unroll(const NodePtr& loop) {
  return counted(loop) && !any_of(for_body(loop), [](const NodePtr& x) { return x->kind == Kind::Return; });
}

/// Names of counted loops, innermost first, each once.
std::vector<std::string> counted_loops(const NodePtr& function) {
  std::vector<std::string> out;
  const auto loops = find_all(function, Kind::For);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    if (const auto c = counted(*loop);
        c && !has_barrier(*loop) && std::find(out.begin(), out.end(), c->name) == out.end())
      out.push_back(c->name);
  return out;
}

/// Every loop over a counter of that name; or the one loop that is printed by it.
Nodes loops_named(const Unit& unit, const NodePtr& function, const std::string& wanted) {
  Nodes out;
  if (wanted.find('@') != std::string::npos) {
    for (const auto& loop : affine::analyse(unit, function).loops)
      if (loop.symbol == wanted) out.push_back(loop.node);
    return out;
  }
  for (const auto& loop : find_all(function, Kind::For))
    if (const auto c = counted(loop); c && c->name == wanted) out.push_back(loop);
  return out;
}

Result<NodePtr> unroll(const Unit& unit, const NodePtr& function, const std::string& wanted, int factor) {
  if (auto reason = obstacle(unit, function); !reason.empty()) return fail("E-DECLINED", reason);
  if (factor == 1) return function;
  auto loops = loops_named(unit, function, wanted);
  std::erase_if(loops, [](const NodePtr& loop) { return !is(loop, Kind::For) || !can_unroll(loop); });
  if (loops.empty()) return fail("E-DECLINED", "no loop over " + wanted + " counts upwards to a bound it leaves alone");
  // Inner loops first: an outer one is then copied with them.
  const std::function<NodePtr(const NodePtr&)> change = [&](const NodePtr& n) -> NodePtr {
    Nodes children;
    for (const auto& child : n->children) children.push_back(change(child));
    const auto next = with_children(n, std::move(children));
    if (std::find(loops.begin(), loops.end(), n) == loops.end()) return next;
    const auto c = counted(next);
    return c ? unrolled(next, *c, factor).front() : next;
  };
  return change(function);
}

Result<State> unroll_loop(State state, const Step& step) {
  auto count = count_of(state, step.arguments[1]);
  if (!count) return fail(std::move(count).error());
  auto ready = tiled(std::move(state), step);
  if (!ready) return ready;
  auto next = unroll(ready->unit, ready->function(), step.arguments[0], *count);
  if (!next) return fail(std::move(next).error().context("unroll"));
  return with_current(*std::move(ready), *next);
}

Offers unroll_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule&) {
  Offers out;
  for (const auto& loop : counted_loops(find_function(lifted.unit, kernel))) out.made.push_back({{loop}});
  if (out.made.empty())
    out.declined.push_back(declined_line("unroll", kernel, "no loop counts upwards to a bound it leaves alone"));
  return out;
}

}  // namespace

extern const Rule unroll_rule = {{"unroll",
                                  {{ArgumentKind::Loop, "LOOP"}, {ArgumentKind::Count, "COUNT"}},
                                  "COUNT iterations of the loop over LOOP in one; LOOP is the name of its counter",
                                  "the loop over {LOOP} does {COUNT} iterations at once",
                                  true},
                                 unroll_loop,
                                 unroll_offers};

}  // namespace hone::rules
