#include "rules/inline_helpers.hpp"

#include <algorithm>
#include <optional>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/each_statement.hpp"
#include "rules/facts.hpp"
#include "rules/normal.hpp"

namespace hone::rules {
using namespace ir;

namespace {

constexpr std::size_t deepest = 8, largest = 20000;

/// The statements with `result = e` where `return e` stood. Nothing when a return leaves a loop.
std::optional<Nodes> with_result(const Nodes& list, const NodePtr& result) {
  Nodes out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& s = list[i];
    if (is(s, Kind::Return)) {
      if (value_of(s) && result) out.push_back(assign_statement(result, value_of(s)));
      return out;
    }
    if (!has_return(s)) {
      out.push_back(s);
      continue;
    }
    const Nodes rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    if (!is(s, Kind::If)) return std::nullopt;
    Nodes yes = statements_of(if_then(s)), no = statements_of(if_else(s));
    const bool yes_ends = ends_in_return(yes), no_ends = ends_in_return(no);
    if (!rest.empty() && !yes_ends && !no_ends) return std::nullopt;
    if (!yes_ends) yes.insert(yes.end(), rest.begin(), rest.end());
    if (!no_ends) no.insert(no.end(), rest.begin(), rest.end());
    const auto a = with_result(yes, result), b = with_result(no, result);
    if (!a || !b) return std::nullopt;
    out.push_back(if_then_else(if_condition(s), block(*a), b->empty() ? nullptr : block(*b)));
    return out;
  }
  return out;
}

bool steps_itself(const NodePtr& n) {
  return is(n, Kind::Unary) && (n->text.ends_with("++") || n->text.ends_with("--"));
}

/// The variable itself, not what it points to, is changed.
bool changes_itself(const NodePtr& body, const std::string& variable) {
  return any_of(body, [&](const NodePtr& n) {
    if (n->kind != Kind::Assign && !steps_itself(n) && !is(n, Kind::Unary, "&")) return false;
    NodePtr target = n->children[0];
    while (target->kind == Kind::Member || (target->kind == Kind::Index && !index_base(target)->type.is_pointer()))
      target = target->children[0];
    return is(target, Kind::Name, variable);
  });
}

/// &x, or &x[i] where i may be asked again.
bool is_place(const NodePtr& argument) {
  if (!is(argument, Kind::Unary, "&")) return false;
  const auto& place = operand(argument);
  if (is(place, Kind::Name)) return true;
  return place->kind == Kind::Index && is(index_base(place), Kind::Name) && is_pure(index_value(place));
}

/// *&x and (&x)[0] are x, (&x[i])[j] is x[i + j].
NodePtr without_detours(const NodePtr& node) {
  return rewrite(node, [](const NodePtr& n) {
    if (n->kind == Kind::Index && is_place(index_base(n)) && int_value(index_value(n)) != 0) {
      const auto& place = operand(index_base(n));
      if (place->kind == Kind::Index) return index(index_base(place), binary("+", index_value(place), index_value(n)));
    }
    const bool follows = is(n, Kind::Unary, "*") || (n->kind == Kind::Index && int_value(index_value(n)) == 0);
    return follows && is(n->children[0], Kind::Unary, "&") ? operand(n->children[0]) : n;
  });
}

/// A builtin that does more than give a value: it is known by its name, or by a pointer it gets.
bool acts(const NodePtr& call) {
  if (call->text.starts_with("vload")) return false;
  for (const char* prefix : {"atom", "printf", "write_", "vstore", "async", "prefetch", "wait_", "barrier", "mem_"})
    if (call->text.starts_with(prefix)) return true;
  return std::any_of(call->children.begin(), call->children.end(),
                     [](const NodePtr& a) { return a->type.is_pointer() || a->type.is_array(); });
}

class Inliner {
 public:
  Inliner(const Unit& unit, const NodePtr& function)
      : unit_(unit), taken_(identifiers(unit.root)), size_(size_of_tree(function)) {}

  NodePtr run(const NodePtr& function) {
    Nodes children = function->children;
    children.back() = with_children(body_of(function), list(body_of(function)->children));
    return with_children(function, std::move(children));
  }

 private:
  NodePtr helper(const NodePtr& call) const {
    if (call->kind != Kind::Call) return nullptr;
    const auto found = find_function(unit_, call->text);
    if (!found || !body_of(found) || is_kernel(*found)) return nullptr;
    return found;
  }

  /// It can be copied at all.
  bool plain(const NodePtr& callee) const {
    return !any_of(callee, [](const NodePtr& n) {
      if (n->kind == Kind::Verbatim || n->kind == Kind::Directive || n->kind == Kind::Switch ||
          n->kind == Kind::Barrier)
        return true;
      if (n->kind != Kind::Variable && n->kind != Kind::Parameter) return false;
      const bool volatile_pointee = n->type.pointee && n->type.pointee->is_volatile;
      return n->type.is_volatile || volatile_pointee || !n->qualifiers.empty() ||
             n->type.space == AddressSpace::Local || n->type.space == AddressSpace::Constant;
    });
  }

  /// It changes something of its caller's, or of memory.
  bool has_effects(const NodePtr& callee, std::set<std::string> seen = {}) const {
    if (!seen.insert(callee->text).second) return true;
    std::set<std::string> own;
    for (const auto& p : parameters_of(callee))
      if (!p->type.is_pointer()) own.insert(p->text);
    for_each(body_of(callee), [&](const NodePtr& n) {
      if (n->kind == Kind::Variable && !n->type.is_pointer()) own.insert(n->text);
    });
    return any_of(body_of(callee), [&](const NodePtr& n) {
      if (n->kind == Kind::Assign || steps_itself(n)) {
        const auto root = root_name(n->children[0]);
        return !root || own.count(root->text) == 0;
      }
      if (n->kind != Kind::Call) return false;
      const auto inner = helper(n);
      return inner ? has_effects(inner, seen) : acts(n);
    });
  }

  Nodes list(const Nodes& statements) {
    return each_statement(statements, [this](const NodePtr& s) { return statement(s); });
  }
  NodePtr inside(const NodePtr& body) {
    return each_inside(body, [this](const NodePtr& s) { return statement(s); });
  }

  Nodes statement(const NodePtr& s) {
    Nodes before;
    switch (s->kind) {
      case Kind::Block: return {inside(s)};
      case Kind::Declare: return declaration(s);
      case Kind::If: {
        Nodes parts = {expression(if_condition(s), calm(if_condition(s)) ? &before : nullptr)};
        for (std::size_t i = 1; i < s->children.size(); ++i) parts.push_back(inside(s->children[i]));
        before.push_back(with_children(s, std::move(parts)));
        return before;
      }
      case Kind::For:
        return {with_children(
            s, {is(for_init(s), Kind::Empty) ? for_init(s) : header(for_init(s)), expression(for_condition(s), nullptr),
                expression(for_step(s), nullptr), inside(for_body(s))})};
      case Kind::While: return {with_children(s, {expression(s->children[0], nullptr), inside(s->children[1])})};
      case Kind::DoWhile: return {with_children(s, {inside(s->children[0]), expression(s->children[1], nullptr)})};
      case Kind::ExpressionStatement: return effect(s);
      default: return {s};
    }
  }

  NodePtr header(const NodePtr& init) {
    return rewrite(init, [&](const NodePtr& n) { return is_expression(*n) ? as_expression(n) : n; });
  }

  Nodes declaration(const NodePtr& s) {
    Nodes out;
    bool any = false;
    for (const auto& v : s->children) {
      const auto value = value_of(v);
      Nodes before;
      NodePtr next = v;
      if (value) {
        const auto root = rooted(value, before);
        const auto done = root ? root : expression(value, calm(value) ? &before : nullptr);
        if (done != value) next = with_children(v, {done}), any = true;
      }
      any = any || !before.empty();
      out.insert(out.end(), before.begin(), before.end());
      out.push_back(declare_all({next}));
    }
    return any ? out : Nodes{s};
  }

  Nodes effect(const NodePtr& s) {
    const auto& e = s->children[0];
    Nodes before;
    if (is(e, Kind::Call) && helper(e)) {
      before = call_list(e);
      if (!before.empty()) return before;
    }
    if (is(e, Kind::Assign)) {
      const auto root = is_pure(left(e)) ? rooted(right(e), before) : nullptr;
      const bool quiet = calm(left(e)) && calm(right(e));
      const auto value = root ? root : expression(right(e), quiet ? &before : nullptr);
      const auto target = expression(left(e), quiet && !root ? &before : nullptr);
      before.push_back(with_children(s, {with_children(e, {target, value})}));
      return before;
    }
    before.push_back(with_children(s, {expression(e, nullptr)}));
    return before;
  }

  /// `f(x);` with nobody interested in the result. Empty when it stays.
  Nodes call_list(const NodePtr& call) {
    Nodes before;
    const auto value = replaced(call, before, true);
    if (!value) return {};
    if (before.empty()) before.push_back(empty());
    return before;
  }

  /// The whole value is a call of a helper with effects.
  NodePtr rooted(const NodePtr& value, Nodes& before) {
    const auto callee = helper(value);
    if (!callee || !has_effects(callee)) return nullptr;
    return replaced(value, before, true);
  }

  /// No side effects but those of helpers: then the order in which its calls are made is free.
  bool calm(const NodePtr& e) const {
    return !any_of(e, [&](const NodePtr& n) {
      if (n->kind == Kind::Assign || steps_itself(n) || n->kind == Kind::Verbatim) return true;
      if (n->kind != Kind::Call) return false;
      const auto callee = helper(n);
      return callee ? has_effects(callee) : acts(n);
    });
  }

  /// With calls replaced; their statements go to `before`, where there is one.
  NodePtr expression(const NodePtr& e, Nodes* before) {
    const bool chooses = e->kind == Kind::Select || is(e, Kind::Binary, "&&") || is(e, Kind::Binary, "||");
    Nodes children;
    for (std::size_t i = 0; i < e->children.size(); ++i)
      children.push_back(expression(e->children[i], chooses && i > 0 ? nullptr : before));
    const auto done = with_children(e, std::move(children));
    if (!helper(done)) return done;
    if (before == nullptr) return as_expression(done);
    if (has_effects(helper(done))) return done;
    const auto value = replaced(done, *before, false);
    return value ? value : done;
  }

  /// A helper that is one expression, with arguments that may be written out as often as it uses them.
  NodePtr as_expression(const NodePtr& call) {
    const auto callee = helper(call);
    if (!callee) return call;
    const auto& body = body_of(callee)->children;
    const auto parameters = parameters_of(callee);
    if (body.size() != 1 || !is(body[0], Kind::Return) || !value_of(body[0]) || !plain(callee) ||
        !is_pure(value_of(body[0])) || parameters.size() != call->children.size() || stack_.size() >= deepest)
      return call;
    std::map<std::string, NodePtr> values;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& argument = call->children[i];
      if (!passes(argument, parameters[i]) || !is_pure(argument) || size_of_tree(argument) > 12) return call;
      values[parameters[i]->text] = call->children[i];
    }
    return returned(callee, substitute(fresh(value_of(body[0])), values));
  }

  /// What was passed is what the parameter is.
  static bool passes(const NodePtr& argument, const NodePtr& parameter) {
    if (!parameter->type.is_pointer()) return alike(argument->type, parameter->type);
    const Type to = argument->type.is_pointer() ? *argument->type.pointee : element_of(argument->type);
    const bool known = to.scalar != Scalar::Unknown;
    const Type wanted = *parameter->type.pointee;
    return known && to.scalar == wanted.scalar && to.lanes == wanted.lanes && to.name == wanted.name;
  }

  static NodePtr returned(const NodePtr& callee, const NodePtr& value) {
    if (alike(callee->type, value->type) || !callee->type.is_plain()) return value;
    Type type = callee->type;
    type.is_const = false;
    return type.is_vector() ? nullptr : cast(type, value);
  }

  /// The value of the call after the statements added to `before`; null, and nothing added, when it stays a call. Of a
  /// helper without a result an empty statement.
  NodePtr replaced(const NodePtr& call, Nodes& before, bool alone) {
    const auto callee = helper(call);
    const auto parameters = parameters_of(callee);
    if (!plain(callee) || parameters.size() != call->children.size() || stack_.size() >= deepest ||
        stack_.count(callee->text) != 0)
      return nullptr;
    size_ += size_of_tree(callee);
    if (size_ > largest) return nullptr;
    auto body = fresh(body_of(callee));
    std::map<std::string, std::string> names;
    for (const auto& local : declared(body)) {
      for (const auto& p : parameters)
        if (p->text == local) return nullptr;
      names[local] = fresh_name(local, taken_);
    }
    body = rename(body, names);
    Nodes bindings;
    std::map<std::string, NodePtr> values;
    std::set<std::string> exposed;
    for (const auto& argument : call->children) {
      const auto root = root_name(argument);
      if (root && (argument->type.is_pointer() || argument->type.is_array())) exposed.insert(root->text);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& p = parameters[i];
      const auto& argument = call->children[i];
      if (!is_place(argument) && !is_pure(argument) && p->type.is_pointer()) return nullptr;
      if (p->type.is_pointer() && !passes(argument, p)) return nullptr;
      const bool steady = !changes_itself(body, p->text);
      const bool simple =
          is(argument, Kind::Literal) || (is(argument, Kind::Name) && exposed.count(argument->text) == 0);
      const bool by_name = p->type.is_pointer() ? steady : steady && simple && passes(argument, p);
      if (by_name) {
        values[p->text] = argument;
        continue;
      }
      Type type = p->type;
      type.is_const = false;
      type.is_restrict = false;
      const auto local = fresh_name(p->text, taken_);
      values[p->text] = name(local, type);
      bindings.push_back(declare(type, local, argument));
    }
    body = without_detours(substitute(body, values));
    const auto statements = body->children;
    const bool has_result = callee->type.scalar != Scalar::Void || callee->type.pointee;
    const bool tail = !statements.empty() && is(statements.back(), Kind::Return) &&
                      std::none_of(statements.begin(), statements.end() - 1, has_return);
    const bool none = std::none_of(statements.begin(), statements.end(), has_return);
    NodePtr value = empty();
    Nodes made;
    if (tail || none) {
      made = Nodes(statements.begin(), tail ? statements.end() - 1 : statements.end());
      if (has_result && !tail) return nullptr;
      if (has_result) value = value_of(statements.back());
    } else {
      Type type = callee->type;
      type.is_const = false;
      const auto result = has_result ? name(fresh_name(callee->text + "_result", taken_), type) : nullptr;
      const auto flat = with_result(statements, result);
      if (!flat) return nullptr;
      if (result) made.push_back(declare(type, result->text)), value = result;
      made.insert(made.end(), flat->begin(), flat->end());
    }
    stack_.insert(callee->text);
    made = list(made);
    if (has_result) {
      Nodes last;
      const auto inner = rooted(value, last);
      value = inner ? inner : expression(value, calm(value) ? &last : nullptr);
      made.insert(made.end(), last.begin(), last.end());
      value = returned(callee, value);
    }
    stack_.erase(callee->text);
    if (!value) return nullptr;
    if (has_result && !alone && !is(value, Kind::Name) && touches(value)) {
      Type type = callee->type;
      type.is_const = true;
      const auto held = fresh_name(callee->text + "_value", taken_);
      made.push_back(declare(type, held, value));
      value = name(held, type);
    }
    before.insert(before.end(), bindings.begin(), bindings.end());
    before.insert(before.end(), made.begin(), made.end());
    return value;
  }

  static bool touches(const NodePtr& value) {
    return any_of(value, [](const NodePtr& n) {
      return n->kind == Kind::Index || is(n, Kind::Unary, "*") || n->kind == Kind::Call;
    });
  }

  const Unit& unit_;
  std::set<std::string> taken_, stack_;
  std::size_t size_;
};

}  // namespace

NodePtr with_helpers_inlined(const Unit& unit, const NodePtr& function) {
  const bool calls = any_of(body_of(function),
                            [&](const NodePtr& n) { return n->kind == Kind::Call && find_function(unit, n->text); });
  return calls ? Inliner(unit, function).run(function) : function;
}

}  // namespace hone::rules
