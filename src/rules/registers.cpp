// registers: an element of memory that a loop updates again and again is held in a private variable for the length of
// the loop.
//
//   for (int k = 0; k < n; k++)        ->     if (0 < n) {
//     c[i] += a[k * n + i];                     float c_held = c[i];
//                                               for (int k = 0; k < n; k++) c_held += a[k * n + i];
//                                               c[i] = c_held;
//                                             }
//
// Legal only when nothing else in the loop can touch that element, and when the original stores it whenever the loop
// runs: an element that is updated under a condition may be somebody else's.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/aliasing.hpp"
#include "rules/facts.hpp"
#include "rules/tile_steps.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// Somewhere in what is certainly evaluated of the expression, the element is assigned.
bool stores_surely(const NodePtr& expression, const NodePtr& target) {
  bool found = false;
  each_unconditional(expression, [&](const NodePtr& n) {
    found = found || (n->kind == Kind::Assign && same(left(n), target));
    return found;
  });
  return found;
}

/// Whoever runs the statement stores the element, whatever it computes.
bool always_stores(const NodePtr& s, const NodePtr& target) {
  switch (s->kind) {
    case Kind::Block:
      for (const auto& child : s->children) {
        if (always_stores(child, target)) return true;
        if (jumps_out(child)) return false;
      }
      return false;
    case Kind::If: return if_else(s) && always_stores(if_then(s), target) && always_stores(if_else(s), target);
    case Kind::DoWhile: return always_stores(s->children[0], target);
    case Kind::ExpressionStatement: return stores_surely(s->children[0], target);
    default: return false;
  }
}

class Promotion {
 public:
  Promotion(const Unit& unit, const NodePtr& function, const LaunchFacts& facts)
      : function_(function), facts_(facts), symbols_(function), taken_(identifiers(unit.root)) {}

  NodePtr run() { return rewrite_lists(function_); }
  const std::string& reason() const { return reason_; }
  bool changed() const { return changed_; }

 private:
  bool refuse(const std::string& why) {
    if (reason_.empty()) reason_ = why;
    return false;
  }

  /// Outer loops first: an element held for all of them needs no second variable inside.
  NodePtr rewrite_lists(const NodePtr& node) {
    Nodes children;
    const bool list = node->kind == Kind::Block;
    for (const auto& child : node->children) {
      if (!is(child, Kind::For)) {
        children.push_back(rewrite_lists(child));
        continue;
      }
      auto replaced = promoted(child, list ? children : Nodes{});
      if (replaced.size() == 1 && replaced.front() == child) replaced = {rewrite_lists(child)};
      if (list)
        children.insert(children.end(), replaced.begin(), replaced.end());
      else
        children.push_back(replaced.size() == 1 ? replaced.front() : block(std::move(replaced)));
    }
    return with_children(node, std::move(children));
  }

  /// One element after the other, until the loop has no more.
  Nodes promoted(const NodePtr& loop, const Nodes& before) {
    const auto target = candidate(loop, before);
    if (!target) return {loop};
    Type type = target->type;
    type.is_const = false;
    type.space = AddressSpace::Private;
    const auto held = fresh_name(root_name(target)->text + "_held", taken_);
    const auto body = rewrite(for_body(loop), [&](const NodePtr& n) { return same(n, target) ? name(held, type) : n; });
    changed_ = true;
    Nodes out = {declare(type, held, target)};
    const auto inner = with_child(loop, 3, body);
    auto rest = promoted(inner, before);
    if (rest.size() == 1 && rest.front() == inner) rest = {rewrite_lists(inner)};
    out.insert(out.end(), rest.begin(), rest.end());
    out.push_back(assign_statement(target, name(held, type)));
    if (stored_just_before(before, target)) return out;
    // A loop that does not run at all must not touch the element either.
    const auto runs = entry_condition(loop);
    return *runs ? Nodes{if_then_else(*runs, block(std::move(out)))} : Nodes{block(std::move(out))};
  }

  /// Stored by one of the assignments directly before the loop, so that touching it once more changes nothing.
  static bool stored_just_before(const Nodes& before, const NodePtr& target) {
    const auto used = read(target);
    for (auto s = before.rbegin(); s != before.rend(); ++s) {
      const auto stored = assignment_of(*s);
      if (!stored && !is(*s, Kind::Declare)) return false;
      auto changes = written(*s);
      changes.merge(declared(*s));
      // A store to an element leaves the pointer as it was.
      if (stored && is(left(stored), Kind::Index) && root_name(left(stored)))
        changes.erase(root_name(left(stored))->text);
      for (const auto& n : used)
        if (changes.count(n) != 0) return false;
      if (stored && same(left(stored), target)) return true;
    }
    return false;
  }

  /// The loop's condition as it is asked first, null when there is none. Nothing when it cannot be asked beforehand.
  static std::optional<NodePtr> entry_condition(const NodePtr& loop) {
    const auto& init = for_init(loop);
    const auto& condition = for_condition(loop);
    if (is(condition, Kind::Empty)) return NodePtr();
    if (!is_pure(condition) || !is_pure(init)) {
      const auto first = is(init, Kind::ExpressionStatement) ? assignment_of(init) : nullptr;
      if (!is_pure(condition) || !first || !is_pure(right(first))) return std::nullopt;
    }
    std::map<std::string, NodePtr> start;
    if (is(init, Kind::Declare)) {
      for (const auto& v : init->children) {
        const auto value = value_of(v);
        const auto inputs = value ? read(value) : std::set<std::string>{};
        const bool chained =
            std::any_of(start.begin(), start.end(), [&](const auto& s) { return inputs.count(s.first) != 0; });
        if (!value || chained) return std::nullopt;
        start[v->text] = value;
      }
    } else if (is(init, Kind::ExpressionStatement)) {
      const auto first = assignment_of(init);
      if (!first || first->text != "=" || !is(left(first), Kind::Name)) return std::nullopt;
      start[left(first)->text] = right(first);
    } else if (!is(init, Kind::Empty)) {
      return std::nullopt;
    }
    return substitute(condition, start);
  }

  NodePtr candidate(const NodePtr& loop, const Nodes& before) {
    const auto changes = written(loop);
    const auto names = declared(loop);
    NodePtr found;
    Nodes refused;
    for_each(for_body(loop), [&](const NodePtr& n) {
      if (found || n->kind != Kind::Assign || !is(left(n), Kind::Index)) return;
      const auto& target = left(n);
      if (std::any_of(refused.begin(), refused.end(), [&](const NodePtr& r) { return same(r, target); })) return;
      if (!is_memory_access(target, symbols_) || !is_pure(target) || !target->type.is_number()) return;
      const auto root = root_name(target);
      if (!root || !symbols_.is_parameter(root->text) || !is(index_base(target), Kind::Name)) return;
      for (const auto& used : read(index_value(target)))
        if (changes.count(used) != 0 || names.count(used) != 0) return;
      if (names.count(root->text) != 0 || touches_memory(index_value(target), symbols_)) return;
      if (alone(loop, target, root->text) && surely_touched(loop, before, target, root->text))
        found = target;
      else
        refused.push_back(target);
    });
    return found;
  }

  /// The original touches the element whenever the new loads and stores do: nobody else's element is read or written.
  bool surely_touched(const NodePtr& loop, const Nodes& before, const NodePtr& target, const std::string& base) {
    if (stored_just_before(before, target)) return true;
    if (!always_stores(for_body(loop), target))
      return refuse("an element of " + base + " is updated only under a condition in the loop");
    if (!entry_condition(loop))
      return refuse("whether the loop that updates " + base + " runs at all cannot be asked before it");
    return true;
  }

  bool alone(const NodePtr& loop, const NodePtr& target, const std::string& base) {
    if (has_barrier(loop) || contains_verbatim(loop))
      return refuse("a barrier or unknown code stands in the loop over " + base);
    for (const auto& header : {for_init(loop), for_condition(loop), for_step(loop)})
      if (any_of(header, [&](const NodePtr& n) { return is(n, Kind::Name, base); }))
        return refuse("the header of the loop reads " + base);
    bool ok = true;
    visit(loop, [&](const NodePtr& n) {
      if (!ok) return false;
      if (n->kind == Kind::Return) ok = refuse("a return leaves the loop over " + base);
      if (n->kind == Kind::Call && !is_pure(n)) ok = refuse(n->text + " is called in the loop and may touch " + base);
      if (is(n, Kind::Unary, "&") && root_name(operand(n)) && root_name(operand(n))->text == base)
        ok = refuse("the address of an element of " + base + " is taken in the loop");
      if (same(n, target)) return false;
      if (is_memory_access(n, symbols_) && !root_name(n))
        ok = refuse("an access in the loop could not be followed to its buffer");
      if (n->kind == Kind::Name) ok = ok && other_name(n->text, base);
      return ok;
    });
    return ok;
  }

  /// A name that occurs in the loop elsewhere than in the element itself.
  bool other_name(const std::string& other, const std::string& base) {
    if (other == base) return refuse(base + " is accessed at several places in the loop");
    const Type type = symbols_.type_of(other);
    if (!type.is_pointer() && !type.is_array()) return true;
    return never_same(base, other, symbols_, facts_) ||
           refuse(base + " and " + other +
                  " may be the same buffer: neither is restrict, and no launch shows them distinct");
  }

  NodePtr function_;
  const LaunchFacts& facts_;
  Symbols symbols_;
  std::set<std::string> taken_;
  std::string reason_;
  bool changed_ = false;
};

/// E-DECLINED when no loop has such an element, with what stands against the first one found.
Result<NodePtr> keep_in_registers(const Unit& unit, const NodePtr& function, const LaunchFacts& facts) {
  if (auto reason = obstacle(unit, function); !reason.empty()) return fail("E-DECLINED", reason);
  Promotion promotion(unit, function, facts);
  auto out = promotion.run();
  if (promotion.changed()) return out;
  return fail("E-DECLINED",
              promotion.reason().empty() ? "no loop updates an element of memory in place" : promotion.reason());
}

Result<State> hold_elements(State state, const Step& step) {
  const auto& k = state.current();
  if (!k.tile.empty())
    return fail("E-ORDER", "`" + hone::print(step) + "` stands after `" + hone::print(k.tile.back().step) +
                               "`: elements are held before work-items are taken together; write it first");
  auto held = keep_in_registers(state.unit, state.function(), k.facts);
  if (!held) return fail(std::move(held).error().context("registers"));
  return with_current(std::move(state), *held);
}

Offers registers_offers(const LiftedKernel& lifted, const std::string& kernel, const Schedule&) {
  Offers out;
  const auto held =
      keep_in_registers(lifted.unit, find_function(lifted.unit, kernel), launch_facts(lifted.mep, kernel));
  if (held)
    out.made.push_back({});
  else
    out.declined.push_back(declined_line("registers", kernel, held.error().message()));
  return out;
}

}  // namespace

extern const Rule registers_rule = {{"registers",
                                     {},
                                     "elements a loop updates in place are held in private variables",
                                     "elements that a loop updates in memory are held in registers",
                                     false},
                                    hold_elements,
                                    registers_offers};

}  // namespace hone::rules
