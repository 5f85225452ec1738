#include "affine/walker.hpp"

#include <algorithm>

#include "ir/rewrite.hpp"

namespace hone::affine {

using ir::Kind;
using ir::NodePtr;

View analyse(const ir::Unit& unit, const NodePtr& kernel, const Facts& facts) {
  return Walker(unit, facts).walk(kernel);
}

bool always_jumps(const NodePtr& node) {
  switch (node->kind) {
    case Kind::Return:
    case Kind::Break:
    case Kind::Continue: return true;
    case Kind::Block: return std::ranges::any_of(node->children, always_jumps);
    case Kind::If: return ir::if_else(node) && always_jumps(ir::if_then(node)) && always_jumps(ir::if_else(node));
    default: return false;
  }
}

View Walker::walk(const NodePtr& kernel) {
  conditions_ = facts_.constraints;
  bind_parameters(kernel);
  if (const auto body = ir::body_of(kernel)) statement(body);
  return std::move(view_);
}

void Walker::bind_parameters(const NodePtr& kernel) {
  const auto changed = ir::body_of(kernel) ? ir::written(ir::body_of(kernel)) : std::set<std::string>{};
  for (const auto& parameter : ir::parameters_of(kernel)) {
    types_[parameter->text] = parameter->type;
    Known known;
    if (parameter->type.is_pointer()) {
      known.pointer = Pointer{parameter->text, parameter->type.pointee->space, *parameter->type.pointee, Polynomial(0)};
    } else if (parameter->type.is_plain() && parameter->type.is_integer() && parameter->type.lanes == 1) {
      const auto given = facts_.values.find(parameter->text);
      known.number = given != facts_.values.end() ? Polynomial(given->second) : Polynomial::symbol(parameter->text);
      symbols_.insert(parameter->text);
    }
    if (parameter->type.is_plain() && parameter->type.scalar == ir::Scalar::Struct &&
        !changed.contains(parameter->text))
      by_value_.insert(parameter->text);
    variables_[parameter->text] = known;
  }
}

void Walker::statements(const NodePtr& block) {
  const auto outer = variables_;
  const auto outer_types = types_;
  const auto conditions = conditions_.size();
  const int data_guards = data_guards_;
  std::set<std::string> here;
  for (const auto& child : block->children) {
    if (ir::is(child, Kind::Declare)) {
      for (const auto& variable : child->children) here.insert(variable->text);
    }
    statement(child);
  }
  conditions_.resize(conditions);
  data_guards_ = data_guards;
  for (const auto& name : here) {  // what the block declared ends with it
    if (outer.contains(name)) {
      variables_[name] = outer.at(name);
      types_[name] = outer_types.at(name);
    }
  }
}

void Walker::statement(const NodePtr& node) {
  switch (node->kind) {
    case Kind::Block: statements(node); break;
    case Kind::Declare:
      for (const auto& variable : node->children) {
        if (ir::is(variable, Kind::Variable)) declare(variable);
      }
      break;
    case Kind::ExpressionStatement: value(ir::operand(node)); break;
    case Kind::If: branch(node); break;
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile: loop(node); break;
    case Kind::Switch:
      value(node->children[0]);
      ++data_guards_;
      forget_written(node, {});
      statement(node->children[1]);
      forget_written(node, {});
      --data_guards_;
      break;
    case Kind::Return:
      if (const auto what = ir::value_of(node)) returned_ = value(what);
      break;
    case Kind::Barrier: view_.has_barrier = true; break;
    case Kind::Verbatim:
      view_.has_unknown = true;
      if (node->effects && node->effects->may_barrier) view_.has_barrier = true;
      forget_written(node, {});
      break;
    default: break;
  }
}

void Walker::declare(const NodePtr& variable) {
  types_[variable->text] = variable->type;
  Known known;
  if (const auto initial = ir::value_of(variable)) known = value(initial);
  if (variable->type.is_array()) {
    known = {};
    ir::Type element = variable->type;
    while (element.is_array()) element = ir::element_of(element);
    known.pointer = Pointer{variable->text, variable->type.space, element, Polynomial(0)};
  } else if (!variable->type.is_pointer() && !variable->type.is_integer()) {
    known = {};
  }
  if (variable->type.is_integer() && !known.number) known = opaque(variable->text);
  variables_[variable->text] = known;
}

void Walker::branch(const NodePtr& node) {
  const auto before = variables_;
  const auto outer = conditions_.size();
  const int outer_data = data_guards_;
  if (!assume(ir::if_condition(node), true)) ++data_guards_;
  const Constraints when_then = [&] {
    statement(ir::if_then(node));
    return now();
  }();
  const auto after_then = variables_;
  const bool then_leaves = always_jumps(ir::if_then(node));

  variables_ = before;
  conditions_.resize(outer);
  data_guards_ = outer_data;
  const auto accesses = view_.accesses.size();  // the condition is walked a second time only for what it implies
  const bool understood = assume(ir::if_condition(node), false);
  view_.accesses.resize(accesses);
  if (!understood) ++data_guards_;
  const auto other = ir::if_else(node);
  if (other) statement(other);
  const Constraints when_else = now();
  const bool else_leaves = other && always_jumps(other);

  if (then_leaves) return;  // the rest of the block runs under the negated condition, with what the else branch left
  conditions_.resize(outer);
  data_guards_ = outer_data;
  if (else_leaves) {
    variables_ = after_then;
    assume(ir::if_condition(node), true);
    view_.accesses.resize(accesses);
    return;
  }
  for (auto& [name, known] : variables_) {
    const auto found = after_then.find(name);
    if (found != after_then.end()) known = one_of(name, found->second, when_then, known, when_else);
  }
}

void Walker::forget_written(const NodePtr& body, const std::string& counter) {
  for (const auto& name : ir::written(body)) {
    const auto found = variables_.find(name);
    if (found == variables_.end() || name == counter) continue;
    if (types_[name].is_array() ||
        (types_[name].is_pointer() && found->second.pointer && found->second.pointer->array == name))
      continue;
    if (found->second.pointer) found->second.pointer->offset.reset();
    if (found->second.number) found->second = opaque(name);
  }
}

void Walker::loop(const NodePtr& node) {
  const auto body = ir::body_of(node);
  const auto conditions = conditions_.size();
  const int data_guards = data_guards_;
  const int index = static_cast<int>(view_.loops.size());
  Loop found;
  found.node = node;
  found.parent = loops_.empty() ? -1 : loops_.back();
  view_.loops.push_back(found);
  if (node->kind == Kind::For) statement(ir::for_init(node));
  const auto before = variables_;
  found.outside = symbols_;
  if (node->kind == Kind::For) counted_for(node, found);
  forget_written(body, found.variable);
  if (node->kind == Kind::For && found.variable.empty()) forget_written(ir::for_step(node), {});
  keep_inductions(body, before, found);
  found.carried = carried_by(body, found.variable);
  loops_.push_back(index);
  const auto bounds = conditions_.size();
  if (node->kind == Kind::For && !ir::is(ir::for_condition(node), Kind::Empty)) {
    if (!assume(ir::for_condition(node), true)) ++data_guards_;
  }
  if (node->kind == Kind::While && !assume(node->children[0], true)) ++data_guards_;
  found.bounds.assign(conditions_.begin() + static_cast<std::ptrdiff_t>(std::min(conditions, bounds)),
                      conditions_.end());
  view_.loops[static_cast<std::size_t>(index)] = found;
  statement(body);
  if (node->kind == Kind::DoWhile) value(node->children[1]);
  loops_.pop_back();
  conditions_.resize(conditions);
  data_guards_ = data_guards;
  variables_ = before;
  if (!found.variable.empty()) variables_[found.variable] = opaque(found.variable);
  forget_written(body, {});
}

namespace {

struct Counter {
  std::string name;
  NodePtr begin;
};

std::optional<Counter> counter_of(const NodePtr& init) {
  if (ir::is(init, Kind::Declare) && init->children.size() == 1 && ir::value_of(init->children[0])) {
    return Counter{init->children[0]->text, ir::value_of(init->children[0])};
  }
  const auto assigned = ir::assignment_of(init);
  if (assigned && assigned->text == "=" && ir::is(ir::left(assigned), Kind::Name)) {
    return Counter{ir::left(assigned)->text, ir::right(assigned)};
  }
  return std::nullopt;
}

NodePtr expression_in(const NodePtr& node) {
  return ir::is(node, Kind::ExpressionStatement) ? ir::operand(node) : node;
}

/// "+" and "-" with the amount (null: one), "*" and "/" for steps that grow or shrink by a factor.
struct CounterStep {
  std::string op;
  NodePtr by;
};

std::optional<CounterStep> step_of(const NodePtr& node, const std::string& counter) {
  const auto step = expression_in(node);
  const auto is_counter = [&](const NodePtr& n) { return ir::is(n, Kind::Name, counter); };
  if (ir::is(step, Kind::Unary) && is_counter(ir::operand(step))) {
    if (step->text.ends_with("++")) return CounterStep{"+", nullptr};
    if (step->text.ends_with("--")) return CounterStep{"-", nullptr};
  }
  if (!ir::is(step, Kind::Assign) || !is_counter(ir::left(step))) return std::nullopt;
  static const std::map<std::string, std::string> meaning = {{"+", "+"},  {"-", "-"}, {"*", "*"},
                                                             {"<<", "*"}, {"/", "/"}, {">>", "/"}};
  std::string op = step->text.substr(0, step->text.size() - 1);
  NodePtr by = ir::right(step);
  if (op.empty() && ir::is(by, Kind::Binary) && is_counter(ir::left(by))) {
    op = by->text;
    by = ir::right(by);
  }
  const auto found = meaning.find(op);
  return found == meaning.end() ? std::nullopt : std::optional(CounterStep{found->second, by});
}

}  // namespace

void Walker::counted_for(const NodePtr& node, Loop& loop) {
  const auto counter = counter_of(ir::for_init(node));
  if (!counter || ir::written(ir::for_body(node)).contains(counter->name)) return;
  const auto step = step_of(ir::for_step(node), counter->name);
  if (!step) return;
  const Known begin = variables_[counter->name];
  const Known by = step->by ? value(step->by) : Known{Polynomial(1), {}, false};
  loop.variable = counter->name;
  loop.symbol = counter->name;
  for (int n = 2; symbols_.contains(loop.symbol); ++n) loop.symbol = counter->name + "@" + std::to_string(n);
  symbols_.insert(loop.symbol);
  const auto symbol = Polynomial::symbol(loop.symbol);
  variables_[counter->name] = Known{symbol, {}, false};
  if (!begin.number || begin.may_wrap) return;
  const bool grows = step->op == "+" || step->op == "*";
  conditions_.push_back(grows ? symbol - *begin.number : *begin.number - symbol);
  if (step->op == "/") conditions_.push_back(symbol);
  loop.begin = begin.number;
  if (step->op == "+" || step->op == "-") {
    if (by.number) loop.step = step->op == "+" ? *by.number : Polynomial(0) - *by.number;
  }
  const auto condition = ir::for_condition(node);
  if (step->op != "+" || !ir::is(condition, Kind::Binary) || !ir::is(ir::left(condition), Kind::Name, counter->name))
    return;
  if (condition->text != "<" && condition->text != "<=") return;
  const auto accesses = view_.accesses.size();
  const Known end = value(ir::right(condition));
  view_.accesses.resize(accesses);
  if (end.number && !end.may_wrap) loop.end = *end.number + Polynomial(condition->text == "<=" ? 1 : 0);
}

/// `x += c` once in every iteration, c the same in all of them: x is what it was before plus c times the iterations
/// done.
void Walker::keep_inductions(const NodePtr& body, const std::map<std::string, Known>& before, const Loop& loop) {
  if (!loop.begin || !loop.step || loop.step->constant() != 1) return;
  const auto changed = ir::written(body);
  const auto done = Polynomial::symbol(loop.symbol) - *loop.begin;
  for (const auto& child : ir::is(body, Kind::Block) ? body->children : ir::Nodes{body}) {
    const auto assigned = ir::assignment_of(child);
    if (!assigned || assigned->text != "+=" || !ir::is(ir::left(assigned), Kind::Name)) continue;
    const auto& name = ir::left(assigned)->text;
    const auto known = before.find(name);
    const auto writes = std::ranges::count_if(ir::find_all(body, Kind::Assign),
                                              [&](const NodePtr& a) { return ir::is(ir::left(a), Kind::Name, name); });
    if (known == before.end() || writes != 1 || loop.variable == name) continue;
    const auto read = ir::read(ir::right(assigned));
    const bool steady =
        std::ranges::none_of(read, [&](const auto& r) { return changed.contains(r) || r == loop.variable; });
    const auto accesses = view_.accesses.size();
    const Known by = value(ir::right(assigned));
    const bool loads = view_.accesses.size() != accesses;
    view_.accesses.resize(accesses);
    if (!steady || loads || !by.number || by.may_wrap) continue;
    Known now = known->second;
    if (now.number) *now.number += *by.number * done;
    if (now.pointer && now.pointer->offset) *now.pointer->offset += *by.number * done;
    variables_[name] = now;
  }
}

namespace {

std::string joining_op(const NodePtr& assigned, const std::string& name) {
  const auto reads_it = [&](const NodePtr& n) { return ir::read(n).contains(name); };
  const auto& what = ir::right(assigned);
  const std::string op = assigned->text.substr(0, assigned->text.size() - 1);
  if (!op.empty()) {
    if (reads_it(what)) return {};
    return op == "-" ? "+" : op;
  }
  if (ir::is(what, Kind::Binary) && (what->text == "+" || what->text == "*")) {
    const bool left = ir::is(ir::left(what), Kind::Name, name) && !reads_it(ir::right(what));
    const bool right = ir::is(ir::right(what), Kind::Name, name) && !reads_it(ir::left(what));
    return left || right ? what->text : std::string();
  }
  if (!ir::is(what, Kind::Call)) return {};
  const auto uses = std::ranges::count_if(what->children, reads_it);
  const bool last = ir::is(what->children.empty() ? nullptr : what->children.back(), Kind::Name, name);
  if ((what->text == "fma" || what->text == "mad") && uses == 1 && last) return "+";
  const bool direct =
      std::ranges::any_of(what->children, [&](const NodePtr& n) { return ir::is(n, Kind::Name, name); });
  if (uses != 1 || !direct) return {};
  if (what->text == "min" || what->text == "fmin") return "min";
  if (what->text == "max" || what->text == "fmax") return "max";
  return {};
}

}  // namespace

std::vector<Carried> Walker::carried_by(const NodePtr& body, const std::string& counter) const {
  std::vector<Carried> out;
  const auto inside = ir::declared(body);
  for (const auto& name : ir::written(body)) {
    const auto type = types_.find(name);
    if (inside.contains(name) || name == counter || type == types_.end() || !type->second.is_plain()) continue;
    Carried carried{name, {}};
    bool first = true;
    for (const auto& assigned : ir::find_all(body, Kind::Assign)) {
      if (!ir::is(ir::left(assigned), Kind::Name, name)) continue;
      const auto op = joining_op(assigned, name);
      carried.op = first || op == carried.op ? op : std::string();
      first = false;
      if (carried.op.empty()) break;
    }
    out.push_back(carried);
  }
  return out;
}

}  // namespace hone::affine
