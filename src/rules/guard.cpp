// guard DIMENSION: work-items beyond the size of the launch do nothing, where an argument says what that size is. The
// launch may then be rounded up, and other steps may take work-items together as far as they go.
//
//   int i = get_global_id(0);                 if (get_global_id(0) < n) {
//   o[i] = a[i] * s;                   ->       int i = get_global_id(0);
//                                               o[i] = a[i] * s;
//                                             }
//
// Legal because every launch that is known has as many work-items along the dimension as the argument says: the
// condition holds for all that there were. Declined where that is not seen in the host's code, and where the group
// waits for one another.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/normal.hpp"
#include "rules/tile_steps.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// The parameter that every launch makes its size along the dimension; null when there is none.
NodePtr size_parameter(const NodePtr& function, const LaunchFacts& facts, int dimension) {
  const auto changed = written(body_of(function));
  for (const auto& p : parameters_of(function)) {
    const bool says = facts.sizes[static_cast<std::size_t>(dimension)].count(p->text) != 0;
    const bool counts = p->type.is_number() && p->type.is_integer() && size_of(p->type) >= 4;
    if (says && counts && changed.count(p->text) == 0 && declared(body_of(function)).count(p->text) == 0) return p;
  }
  return nullptr;
}

Result<NodePtr> guarded(const NodePtr& function, const LaunchFacts& facts, int dimension) {
  if (static_cast<std::size_t>(dimension) >= facts.dimensions)
    return fail("E-DECLINED", "the launch has no dimension " + std::to_string(dimension));
  if (is_guarded(function, dimension))
    return fail("E-DECLINED", "a condition stops work-items beyond the edge already");
  if (depends_on_groups(function)) return fail("E-DECLINED", "the kernel's meaning depends on its groups");
  if (facts.offset) return fail("E-DECLINED", "a launch starts at an offset");
  const auto size = size_parameter(function, facts, dimension);
  if (!size)
    return fail("E-DECLINED",
                "no argument is seen to be the size of every launch along dimension " + std::to_string(dimension));
  auto body = structured_body(function);
  if (!body) return fail(std::move(body).error());
  const auto inside = binary("<", thread_index(Thread::GlobalId, dimension), name(size->text, size->type));
  return with_child(function, function->children.size() - 1, block({if_then_else(inside, block(*std::move(body)))}));
}

Result<State> guard(State state, const Step& step) {
  auto& k = state.current();
  if (!k.tile.empty() || k.workgroup)
    return fail("E-ORDER", "`" + hone::print(step) + "` stands after `" +
                               hone::print(k.tile.empty() ? *k.workgroup : k.tile.front().step) +
                               "`, which depends on what stops work-items: write it first");
  auto dimension = dimension_of(step, step.arguments[0], k.original);
  if (!dimension) return fail(std::move(dimension).error());
  if (*dimension < 0) return fail("E-STEP", "`" + hone::print(step) + "`: a loop has no work-items to stop");
  auto stopped = guarded(state.function(), k.facts, *dimension);
  if (!stopped) return fail(std::move(stopped).error().context("guard"));
  k.original = *stopped;
  return with_current(std::move(state), *stopped);
}

/// Only where the launch may change: it is of no use otherwise.
Offers guard_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) {
  Offers out;
  if (std::any_of(before.begin(), before.end(), [](const Step& s) { return s.rule == "keep"; })) return out;
  const auto function = find_function(lifted.unit, kernel);
  const auto facts = launch_facts(lifted.mep, kernel);
  for (int d = 0; d < static_cast<int>(facts.dimensions); ++d) {
    const auto number = std::to_string(d);
    if (is_guarded(function, d)) continue;
    if (auto why = refused(lifted, before, {"guard", {number}}))
      out.declined.push_back(declined_line("guard " + number, kernel, *why));
    else
      out.made.push_back({{number}});
  }
  return out;
}

}  // namespace

extern const Rule guard_rule = {{"guard",
                                 {{ArgumentKind::Dimension, "DIMENSION"}},
                                 "work-items beyond the size of the launch do nothing; an argument says what it is",
                                 "work-items beyond the edge of dimension {DIMENSION} are stopped",
                                 false},
                                guard,
                                guard_offers,
                                true};

}  // namespace hone::rules
