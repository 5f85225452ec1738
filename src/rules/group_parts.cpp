#include "rules/group_parts.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {
using namespace ir;

namespace {

Nodes statements_in(const NodePtr& s) { return is(s, Kind::Block) ? s->children : Nodes{s}; }

bool is_control(const NodePtr& s) {
  return is(s, Kind::If) || is(s, Kind::For) || is(s, Kind::While) || is(s, Kind::DoWhile) || is(s, Kind::Switch);
}

/// What `i += s`, `i++` and `i = i + s` add; null when it is something else.
NodePtr added(const NodePtr& step, const std::string& counter) {
  if (is(step, Kind::Unary) && step->text.ends_with("++") && is(operand(step), Kind::Name, counter))
    return int_literal(1);
  if (!is(step, Kind::Assign) || !is(left(step), Kind::Name, counter)) return nullptr;
  if (step->text == "+=") return right(step);
  const auto& sum = right(step);
  if (step->text != "=" || !is(sum, Kind::Binary, "+")) return nullptr;
  if (is(left(sum), Kind::Name, counter)) return right(sum);
  return is(right(sum), Kind::Name, counter) ? left(sum) : nullptr;
}

class Splitting {
 public:
  Splitting(const GroupValues& values, const Symbols& symbols, std::set<std::string>& taken)
      : values_(values), symbols_(symbols), taken_(taken) {}

  std::vector<Part> list(const Nodes& statements) {
    std::vector<Part> outer;
    outer.swap(out_);
    Nodes open;
    open.swap(open_);
    for (const auto& s : statements) add(s);
    close();
    outer.swap(out_);
    open.swap(open_);
    return outer;
  }
  std::string reason;

 private:
  void decline(const std::string& why) {
    if (reason.empty()) reason = why;
  }

  void close() {
    if (!open_.empty()) out_.push_back({Part::Kind::Items, nullptr, open_, nullptr, false, false, {}, {}});
    open_.clear();
  }
  void once(const NodePtr& s) { out_.push_back({Part::Kind::Once, s, {}, nullptr, false, false, {}, {}}); }

  bool mentions_own(const NodePtr& s) const {
    return any_of(s, [&](const NodePtr& n) {
      return is_thread_index(n, Thread::LocalId) ||
             (n->kind == Kind::Name && symbols_.declares(n->text) && !values_.shared_variable(n->text));
    });
  }

  void add(const NodePtr& s) {
    if (is(s, Kind::Block))
      for (const auto& inner : s->children) add(inner);
    else if (is(s, Kind::Barrier))
      close();
    else if (is(s, Kind::Declare))
      declaration(s);
    else if (is(s, Kind::ExpressionStatement))
      effect(s);
    else if (is_control(s))
      control(s);
    else if (is(s, Kind::Break) || is(s, Kind::Continue))
      close(), once(s);
    else if (is(s, Kind::Directive) && s->text.find("unroll") == std::string::npos)
      decline("`" + s->text + "` stands inside the kernel");
    else if (!is(s, Kind::Empty) && !is(s, Kind::Directive))
      open_.push_back(s);
  }

  void declaration(const NodePtr& s) {
    const auto& v = s->children.front();
    const auto value = value_of(v);
    if (v->type.space == AddressSpace::Local) return decline("__local memory is declared inside another statement");
    if (!values_.shared_variable(v->text) || (value && !values_.quiet(value))) {
      if (values_.shared_variable(v->text)) decline("the initial value of " + v->text + " has side effects");
      open_.push_back(s);
      return;
    }
    // What only computes may move before what is still open; what it reads from memory may have been stored there.
    if (value && (reads_memory(value, symbols_) || mentions_own(value))) close();
    once(s);
  }

  bool shared_of_kernel(const std::string& name) const {
    return symbols_.declares(name) && values_.shared_variable(name);
  }

  /// Shared variables from outside that the statement changes.
  std::vector<std::string> changes_shared(const NodePtr& s) const {
    std::vector<std::string> out;
    const auto inside = declared(s);
    for (const auto& name : assigned_variables(s, symbols_))
      if (shared_of_kernel(name) && inside.count(name) == 0) out.push_back(name);
    return out;
  }

  void effect(const NodePtr& s) {
    const auto changed = changes_shared(s);
    if (changed.empty()) return open_.push_back(s);
    const auto& e = s->children[0];
    const bool steps = is(e, Kind::Unary) && e->text != "&";
    const bool plain = steps || (is(e, Kind::Assign) && values_.quiet(left(e)) && values_.quiet(right(e)));
    if (!plain) return decline("an assignment to " + changed.front() + " stands inside another expression");
    close();
    once(s);
  }

  /// A loop that strides over work-items: for (T i = <a work-item's id>; i < end; i += <something positive>).
  bool strides(const NodePtr& s) const {
    if (!is(s, Kind::For) || !is(for_init(s), Kind::Declare) || for_init(s)->children.size() != 1) return false;
    const auto& v = for_init(s)->children[0];
    const auto& c = for_condition(s);
    const auto begin = value_of(v);
    if (!begin || !v->type.is_integer() || v->type.lanes != 1 || !values_.counts_items(begin)) return false;
    if (!(is(c, Kind::Binary, "<") || is(c, Kind::Binary, "<=")) || !is(left(c), Kind::Name, v->text)) return false;
    if (!right(c)->type.is_integer() || !values_.compares(begin, v->type, right(c)->type)) return false;
    const auto step = added(for_step(s), v->text);
    if (!step || !values_.positive(step) || !values_.shared(step)) return false;
    if (!values_.shared(right(c)) || reads_memory(right(c), symbols_) || mentions_own(right(c))) return false;
    const auto changed = assigned_variables(for_body(s), symbols_);
    for (const auto& e : {right(c), step})
      for (const auto& name : read(e))
        if (changed.count(name) != 0) return false;
    if (changed.count(v->text) != 0 || !values_.over_ids(begin)) return false;
    return !jumps_out(for_body(s)) && !has_barrier(s) && changes_shared(s).empty();
  }

  bool has_strides(const NodePtr& s) const {
    return any_of(s, [&](const NodePtr& n) { return strides(n); });
  }

  /// The work-items take the same turn together, so that what lies side by side in memory is reached side by side.
  void together(const NodePtr& s) {
    close();
    const auto& v = for_init(s)->children[0];
    Type type = v->type;
    type.is_const = false;
    const auto turn = name(fresh_name(v->text + "_first", taken_), type);
    const auto id = thread_index(Thread::LocalId, 0);
    const auto begin = rewrite(*values_.over_ids(value_of(v)), [](const NodePtr& n) {
      return is_thread_index(n, Thread::LocalId) ? int_literal(0) : n;
    });
    const auto own = [&](const NodePtr& e) { return substitute(e, {{v->text, cast(type, binary("+", turn, id))}}); };
    const auto at_turn = [&](const NodePtr& e) { return substitute(e, {{v->text, turn}}); };
    Part items;
    items.kind = Part::Kind::Items;
    items.statements = {declare(type, v->text, binary("+", turn, id))};
    for (const auto& inner : statements_in(for_body(s))) items.statements.push_back(inner);
    items.only_while = own(for_condition(s));
    Part loop;
    loop.kind = Part::Kind::Control;
    loop.node = for_loop(declare(type, turn->text, begin), at_turn(for_condition(s)), at_turn(for_step(s)), empty());
    loop.inside = {items};
    out_.push_back(std::move(loop));
  }

  void control(const NodePtr& s) {
    if (strides(s)) return together(s);
    const auto changed = changes_shared(s);
    const bool barriers = has_barrier(s);
    const bool leaves = is(s, Kind::If) && jumps_out(s);
    const bool must = barriers || leaves || !changed.empty();
    const std::string what = barriers           ? "a barrier stands"
                             : !changed.empty() ? changed.front() + " is changed for the whole group"
                                                : "a loop is left";
    if (is(s, Kind::Switch)) {
      if (must) return decline(what + " in a switch");
      return open_.push_back(s);
    }
    const bool agreed = is(s, Kind::If) ? values_.shared(if_condition(s)) : values_.shared_loop(s) && plain_header(s);
    if (must && !agreed) return decline(what + " under a condition that may differ between the work-items of a group");
    if (agreed && (must || has_strides(s))) return split(s);
    if (is(s, Kind::If) && !if_else(s) && apart(s)) return;
    open_.push_back(s);
  }

  /// The header may be done once for all.
  bool plain_header(const NodePtr& s) const {
    const auto quiet_or_step = [&](const NodePtr& e) {
      if (is(e, Kind::Empty)) return true;
      if (is(e, Kind::Assign)) return values_.quiet(right(e)) && shared_target(left(e));
      if (is(e, Kind::Unary) && (e->text.ends_with("++") || e->text.ends_with("--"))) return shared_target(operand(e));
      if (is(e, Kind::Binary, ",")) return false;
      return values_.shared(e);
    };
    if (is(s, Kind::While)) return values_.shared(s->children[0]);
    if (is(s, Kind::DoWhile)) return values_.shared(s->children[1]);
    const auto& init = for_init(s);
    const bool begins = is(init, Kind::Declare) ? std::all_of(init->children.begin(), init->children.end(),
                                                              [&](const NodePtr& v) {
                                                                return values_.shared_variable(v->text) &&
                                                                       (!value_of(v) || values_.quiet(value_of(v)));
                                                              })
                                                : is(init, Kind::Empty) || quiet_or_step(init->children[0]);
    return begins && quiet_or_step(for_condition(s)) && quiet_or_step(for_step(s));
  }
  bool shared_target(const NodePtr& target) const { return is(target, Kind::Name) && shared_of_kernel(target->text); }

  void split(const NodePtr& s) {
    close();
    Part part;
    part.kind = Part::Kind::Control;
    part.node = s;
    if (is(s, Kind::If)) {
      part.inside = list(statements_in(if_then(s)));
      if (if_else(s)) part.otherwise = list(statements_in(if_else(s)));
    } else {
      const std::size_t body = is(s, Kind::For) ? 3 : is(s, Kind::While) ? 1 : 0;
      part.inside = list(statements_in(s->children[body]));
    }
    out_.push_back(std::move(part));
  }

  /// A branch that only the first so many take becomes a shorter loop.
  bool apart(const NodePtr& s) {
    const auto condition = values_.over_ids(if_condition(s));
    if (!condition) return false;
    Part items;
    items.kind = Part::Kind::Items;
    items.statements = statements_in(if_then(s));
    if (values_.only_first(*condition)) {
      items.first_only = true;
    } else if (values_.holds_for_first(*condition)) {
      items.only_while = *condition;
    } else if (any_of(*condition, [](const NodePtr& n) { return is(n, Kind::Binary, "=="); })) {
      items.statements = {s};
      items.one_by_one = true;
    } else {
      return false;
    }
    close();
    out_.push_back(std::move(items));
    return true;
  }

  const GroupValues& values_;
  const Symbols& symbols_;
  std::set<std::string>& taken_;
  std::vector<Part> out_;
  Nodes open_;
};

}  // namespace

Result<std::vector<Part>> parts_of(const Nodes& statements, const GroupValues& values, const Symbols& symbols,
                                   std::set<std::string>& taken) {
  Splitting splitting(values, symbols, taken);
  auto parts = splitting.list(statements);
  if (!splitting.reason.empty()) return fail("E-DECLINED", splitting.reason);
  return parts;
}

}  // namespace hone::rules
