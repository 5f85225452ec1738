#include "rules/written_out.hpp"

#include <algorithm>
#include <map>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// Calls within calls are written out up to here; C has no bound, kernels may not recurse.
constexpr int deepest = 4;

/// Stores somewhere else than into variables of its own, or calls what may.
bool has_outer_effects(const Unit& unit, const NodePtr& function, int depth) {
  const Symbols symbols(function);
  return depth == 0 || any_of(function, [&](const NodePtr& n) {
           const bool steps = is(n, Kind::Unary) && (n->text.ends_with("++") || n->text.ends_with("--"));
           if (n->kind == Kind::Verbatim || is(n, Kind::Unary, "&") || n->kind == Kind::Barrier) return true;
           if (n->kind == Kind::Assign || steps) {
             NodePtr target = n->children[0];
             while (is(target, Kind::Member)) target = target->children[0];
             return is_memory_access(target, symbols);
           }
           if (n->kind != Kind::Call || is_pure(call(n->text, {}))) return false;
           const auto callee = find_function(unit, n->text);
           return !callee || !body_of(callee) || has_outer_effects(unit, callee, depth - 1);
         });
}

/// The helper, when its statements may stand in the place of a call.
NodePtr plain_helper(const Unit& unit, const std::string& callee) {
  const auto helper = find_function(unit, callee);
  if (!helper || !body_of(helper) || is_kernel(*helper)) return nullptr;
  const auto& statements = body_of(helper)->children;
  if (statements.empty() || !is(statements.back(), Kind::Return) || !value_of(statements.back())) return nullptr;
  const auto returns = find_all(helper, Kind::Return).size();
  const bool odd = any_of(helper, [](const NodePtr& n) {
    return n->kind == Kind::Directive || n->kind == Kind::Verbatim || n->kind == Kind::Switch ||
           (n->kind == Kind::Variable && (n->type.space != AddressSpace::Private || !n->qualifiers.empty()));
  });
  const bool numbers = std::all_of(helper->children.begin(), helper->children.end() - 1,
                                   [](const NodePtr& p) { return !p->text.empty() && !p->type.is_array(); });
  return returns == 1 && !odd && numbers && only_computes(unit, callee) ? helper : nullptr;
}

class WritingOut {
 public:
  WritingOut(const Unit& unit, const NodePtr& function) : unit_(unit), taken_(identifiers(unit.root)) {
    for (const auto& name : identifiers(function)) taken_.insert(name);
  }

  NodePtr block_of(const NodePtr& s, int depth) {
    if (is(s, Kind::Block)) return with_children(s, list(s->children, depth));
    auto several = list({s}, depth);
    return several.size() == 1 ? several.front() : block(std::move(several));
  }

  Nodes list(const Nodes& statements, int depth) {
    Nodes out;
    for (const auto& s : statements) {
      const auto several = statement(s, depth);
      out.insert(out.end(), several.begin(), several.end());
    }
    return out;
  }

 private:
  Nodes statement(const NodePtr& s, int depth) {
    switch (s->kind) {
      case Kind::Block: return {block_of(s, depth)};
      case Kind::For: return {with_child(s, 3, block_of(for_body(s), depth))};
      case Kind::While: return {with_child(s, 1, block_of(s->children[1], depth))};
      case Kind::DoWhile: return {with_child(s, 0, block_of(s->children[0], depth))};
      case Kind::If: {
        Nodes out;
        Nodes children = {value(if_condition(s), out, depth), block_of(if_then(s), depth)};
        if (if_else(s)) children.push_back(block_of(if_else(s), depth));
        out.push_back(with_children(s, std::move(children)));
        return out;
      }
      case Kind::Declare: {
        Nodes out;
        if (s->children.size() != 1 || !value_of(s->children[0]) || is(value_of(s->children[0]), Kind::InitList))
          return {s};
        const auto v = s->children[0];
        auto initial = value(value_of(v), out, depth);
        out.push_back(with_child(s, 0, with_child(v, 0, initial)));
        return out;
      }
      case Kind::ExpressionStatement: {
        const auto assignment = assignment_of(s);
        if (!assignment) return {s};
        Nodes out;
        auto assigned = value(right(assignment), out, depth);
        out.push_back(with_child(s, 0, with_child(assignment, 1, assigned)));
        return out;
      }
      default: return {s};
    }
  }

  /// The expression without calls of plain helpers that are certainly made; their statements go to `before`.
  NodePtr value(NodePtr e, Nodes& before, int depth) {
    if (depth == 0 || !reassigned(e, true).empty()) return e;
    Nodes calls;
    each_unconditional(e, [&](const NodePtr& n) {
      if (is(n, Kind::Call) && plain_helper(unit_, n->text)) calls.push_back(n);
      return false;
    });
    // Inner calls first, so that an outer one gets its arguments already written out.
    std::reverse(calls.begin(), calls.end());
    std::map<const Node*, NodePtr> done;
    const std::function<NodePtr(const NodePtr&)> put = [&](const NodePtr& n) -> NodePtr {
      if (const auto found = done.find(n.get()); found != done.end()) return found->second;
      Nodes children;
      for (const auto& child : n->children) children.push_back(put(child));
      return with_children(n, std::move(children));
    };
    for (const auto& made : calls) {
      const auto helper = plain_helper(unit_, made->text);
      const auto parameters = parameters_of(helper);
      if (parameters.size() != made->children.size()) continue;
      Nodes arguments;
      for (const auto& argument : made->children) arguments.push_back(put(argument));
      done[made.get()] = written_out(helper, parameters, arguments, before, depth);
    }
    return put(e);
  }

  NodePtr written_out(const NodePtr& helper, const Nodes& parameters, const Nodes& arguments, Nodes& before,
                      int depth) {
    std::map<std::string, std::string> names;
    for (const auto& name : declared(body_of(helper))) names[name] = fresh_name(name, taken_);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto& p = parameters[i];
      names[p->text] = fresh_name(p->text, taken_);
      Type type = p->type;
      type.is_const = false;
      before.push_back(declare(type, names[p->text], arguments[i]));
    }
    Nodes statements;
    for (const auto& s : body_of(helper)->children) statements.push_back(rename_variables(fresh(s), names));
    const auto result = value_of(statements.back());
    statements.pop_back();
    const auto inner = list(statements, depth - 1);
    before.insert(before.end(), inner.begin(), inner.end());
    const auto answer = value(result, before, depth - 1);
    return alike(answer->type, helper->type) ? answer : cast(helper->type, answer);
  }

  static NodePtr rename_variables(const NodePtr& node, const std::map<std::string, std::string>& names) {
    return rewrite(node, [&](const NodePtr& n) {
      const auto found = n->kind == Kind::Name || n->kind == Kind::Variable ? names.find(n->text) : names.end();
      return found == names.end() ? n : with_text(n, found->second);
    });
  }

  const Unit& unit_;
  std::set<std::string> taken_;
};

std::size_t mentions(const NodePtr& node, const std::string& name) {
  std::size_t count = 0;
  for_each(node, [&](const NodePtr& n) { count += is(n, Kind::Name, name) ? 1 : 0; });
  return count;
}

/// for (i = begin; ...) with a body that leaves i alone.
bool starts(const NodePtr& loop, const std::string& name) {
  if (!is(loop, Kind::For)) return false;
  const auto begin = assignment_of(for_init(loop));
  return begin && begin->text == "=" && is(left(begin), Kind::Name, name) && mentions(right(begin), name) == 0 &&
         written(for_body(loop)).count(name) == 0;
}

std::size_t mentions_in_loops(const NodePtr& node, const std::string& name) {
  if (starts(node, name)) return mentions(node, name);
  std::size_t count = 0;
  for (const auto& child : node->children) count += mentions_in_loops(child, name);
  return count;
}

NodePtr with_counter_inside(const NodePtr& node, const std::string& name, const Type& type) {
  if (starts(node, name)) return with_child(node, 0, declare(type, name, right(assignment_of(for_init(node)))));
  Nodes children;
  for (const auto& child : node->children) children.push_back(with_counter_inside(child, name, type));
  return with_children(node, std::move(children));
}

class OwnNames {
 public:
  OwnNames(std::set<std::string> used, std::set<std::string>& taken) : used_(std::move(used)), taken_(taken) {}
  using Names = std::map<std::string, std::string>;

  Nodes list(const Nodes& statements, Names names) {
    Nodes out;
    for (const auto& s : statements) out.push_back(statement(s, names));
    return out;
  }

 private:
  NodePtr statement(const NodePtr& s, Names& names) {
    if (is(s, Kind::Declare)) {
      Nodes variables;
      for (const auto& v : s->children) variables.push_back(variable(v, names));
      return with_children(s, std::move(variables));
    }
    if (is(s, Kind::Block)) return with_children(s, list(s->children, names));
    if (is(s, Kind::Name)) {
      const auto found = names.find(s->text);
      return found == names.end() ? s : with_text(s, found->second);
    }
    Names inside = names;
    Nodes children;
    for (const auto& child : s->children) children.push_back(statement(child, inside));
    return with_children(s, std::move(children));
  }

  NodePtr variable(const NodePtr& v, Names& names) {
    Nodes children;
    for (const auto& child : v->children) children.push_back(statement(child, names));
    auto out = with_children(v, std::move(children));
    if (used_.insert(v->text).second) return out;
    const auto own = fresh_name(v->text, taken_);
    used_.insert(own);
    names[v->text] = own;
    return with_text(out, own);
  }

  std::set<std::string> used_;
  std::set<std::string>& taken_;
};

}  // namespace

bool only_computes(const Unit& unit, const std::string& callee) {
  const auto helper = find_function(unit, callee);
  return helper && body_of(helper) && !has_outer_effects(unit, helper, deepest);
}

NodePtr helpers_written_out(const Unit& unit, const NodePtr& function) {
  WritingOut writing(unit, function);
  return with_child(function, function->children.size() - 1, writing.block_of(body_of(function), deepest));
}

Nodes counters_in_loops(const Nodes& statements) {
  NodePtr whole = block(statements);
  for (const auto& d : find_all(whole, Kind::Declare)) {
    if (d->children.size() != 1 || value_of(d->children[0]) || !d->children[0]->type.is_integer()) continue;
    const auto& v = d->children[0];
    const auto all = mentions(whole, v->text);
    if (all == 0 || all != mentions_in_loops(whole, v->text) || !v->type.is_plain()) continue;
    const auto same_name = [&](const NodePtr& n) { return is(n, Kind::Variable, v->text); };
    std::size_t declarations = 0;
    for_each(whole, [&](const NodePtr& n) { declarations += same_name(n) ? 1 : 0; });
    if (declarations != 1) continue;
    whole = rewrite_statements(whole, [&](const NodePtr& s) {
      return is(s, Kind::Declare) && s->children.size() == 1 && same_name(s->children[0]) ? Nodes{} : Nodes{s};
    });
    whole = with_counter_inside(whole, v->text, v->type);
  }
  return whole->children;
}

Nodes own_names(const Nodes& statements, std::set<std::string> used, std::set<std::string>& taken) {
  return OwnNames(std::move(used), taken).list(statements, {});
}

}  // namespace hone::rules
