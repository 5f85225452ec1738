#include "rules/loop_axis.hpp"

#include <algorithm>

#include "affine/view.hpp"
#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/aliasing.hpp"
#include "rules/counted.hpp"
#include "rules/partial_sums.hpp"

namespace hone::rules {
using namespace ir;

namespace {

bool uses_variable(const NodePtr& node, const std::string& variable) {
  return any_of(node, [&](const NodePtr& n) {
    return (n->kind == Kind::Name || n->kind == Kind::Variable) && n->text == variable;
  });
}

/// `v = value` as a declaration of v; null when the statement is something else or the value reads v.
NodePtr as_declaration(const NodePtr& statement, const NodePtr& variable) {
  const auto e = is(statement, Kind::ExpressionStatement) ? statement->children[0] : nullptr;
  if (!is(e, Kind::Assign, "=") || !is(left(e), Kind::Name, variable->text) || uses_variable(right(e), variable->text))
    return nullptr;
  return declare(variable->type, variable->text, right(e));
}

Nodes moved_inwards(const Nodes& list, const NodePtr& variable);

NodePtr moved_into(const NodePtr& s, const NodePtr& variable) {
  if (!uses_variable(s, variable->text)) return s;
  if (is(s, Kind::Block)) {
    auto inner = moved_inwards(s->children, variable);
    return inner.empty() ? nullptr : with_children(s, std::move(inner));
  }
  if (is(s, Kind::If) && !uses_variable(if_condition(s), variable->text)) {
    Nodes parts = {if_condition(s)};
    for (std::size_t i = 1; i < s->children.size(); ++i) {
      parts.push_back(moved_into(s->children[i], variable));
      if (!parts.back()) return nullptr;
    }
    return with_children(s, std::move(parts));
  }
  if (!is(s, Kind::For)) return nullptr;
  if (auto started = as_declaration(for_init(s), variable))
    return with_children(s, {started, for_condition(s), for_step(s), for_body(s)});
  for (const auto& part : {for_init(s), for_condition(s), for_step(s)})
    if (uses_variable(part, variable->text)) return nullptr;
  const auto body = moved_into(for_body(s), variable);
  return body ? with_children(s, {for_init(s), for_condition(s), for_step(s), body}) : nullptr;
}

/// Each statement of the list that mentions the variable holds it for itself; or the first of them sets it for the
/// others, and the list is a block of its own. Empty when neither is so.
Nodes moved_inwards(const Nodes& list, const NodePtr& variable) {
  Nodes out;
  bool declared_here = false;
  for (const auto& s : list) {
    if (!declared_here && uses_variable(s, variable->text)) {
      if (auto inside = moved_into(s, variable)) {
        out.push_back(inside);
        continue;
      }
      const auto first = as_declaration(s, variable);
      const bool before =
          std::any_of(out.begin(), out.end(), [&](const NodePtr& o) { return uses_variable(o, variable->text); });
      if (!first || before) return {};
      declared_here = true;
      out.push_back(first);
      continue;
    }
    out.push_back(s);
  }
  return out;
}

bool plain_private(const NodePtr& v) {
  return v->type.is_plain() && v->type.space == AddressSpace::Private && v->qualifiers.empty() && !value_of(v);
}

Nodes localised_list(Nodes list) {
  for (std::size_t i = 0; i < list.size();) {
    const auto s = list[i];
    if (!is(s, Kind::Declare) || s->children.size() != 1 || !plain_private(s->children[0])) {
      if (is(s, Kind::Block)) list[i] = with_children(s, localised_list(s->children));
      if (is(s, Kind::If)) {
        Nodes parts = s->children;
        for (std::size_t p = 1; p < parts.size(); ++p)
          if (is(parts[p], Kind::Block)) parts[p] = with_children(parts[p], localised_list(parts[p]->children));
        list[i] = with_children(s, std::move(parts));
      }
      ++i;
      continue;
    }
    const auto variable = s->children[0];
    const Nodes rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    const bool hidden = std::any_of(rest.begin(), rest.end(), [&](const NodePtr& n) {
      return any_of(n, [&](const NodePtr& x) { return x->kind == Kind::Variable && x->text == variable->text; });
    });
    auto moved = hidden ? Nodes{} : moved_inwards(rest, variable);
    if (moved.empty()) {
      ++i;
      continue;
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i), list.end());
    list.insert(list.end(), moved.begin(), moved.end());
  }
  return list;
}

/// What stands against taking iterations together besides memory that they share; empty when nothing does.
std::string carried_between(const NodePtr& loop, const NodePtr& function, const Symbols& symbols) {
  if (has_barrier(loop)) return "a barrier stands in it";
  std::set<std::string> outside;
  for (const auto& p : parameters_of(function)) outside.insert(p->text);
  visit(body_of(function), [&](const NodePtr& n) {
    if (n == loop) return false;
    if (n->kind == Kind::Variable) outside.insert(n->text);
    return true;
  });
  std::set<std::string> gathered;
  for (const auto& g : gathered_by(loop, symbols)) gathered.insert(g.name);
  std::string reason;
  for_each(loop, [&](const NodePtr& n) {
    if (!reason.empty()) return;
    const bool steps = n->kind == Kind::Unary && (n->text.ends_with("++") || n->text.ends_with("--"));
    if (n->kind == Kind::Assign || steps) {
      const auto& target = n->children[0];
      const auto root = root_name(target);
      if (!root)
        reason = "something is assigned that could not be followed";
      else if (!is_memory_access(target, symbols) && outside.count(root->text) != 0 && gathered.count(root->text) == 0)
        reason = root->text + " is carried from one iteration to the next, or out of the loop";
    }
    if (is(n, Kind::Unary, "&")) reason = "an address is taken in it";
    if (n->kind == Kind::Call)
      for (const auto& argument : n->children)
        if (argument->type.is_pointer() || argument->type.is_array())
          reason = n->text + " is called with a pointer in it";
    if (n->kind == Kind::Name) {
      const Type type = symbols.type_of(n->text);
      if (type.pointee &&
          (type.pointee->space == AddressSpace::Private || type.pointee->space == AddressSpace::Generic))
        reason = n->text + " may point anywhere";
    }
  });
  return reason;
}

}  // namespace

Nodes localised(const Nodes& body) { return localised_list(body); }

std::vector<std::string> loop_names(const Unit& unit, const NodePtr& function) {
  std::vector<std::string> out;
  for (const auto& loop : affine::analyse(unit, function).loops)
    if (is(loop.node, Kind::For) && counted(loop.node)) out.push_back(loop.symbol);
  return out;
}

Result<NodePtr> independent_loop(const Unit& unit, const NodePtr& function, const std::string& name,
                                 const LaunchFacts& facts) {
  const auto view = affine::analyse(unit, function);
  int index = -1;
  for (std::size_t i = 0; i < view.loops.size(); ++i)
    if (view.loops[i].symbol == name && is(view.loops[i].node, Kind::For)) index = static_cast<int>(i);
  if (index < 0) return fail("E-DECLINED", "there is no loop over " + name);
  const auto loop = view.loops[static_cast<std::size_t>(index)].node;
  const auto c = counted(loop);
  if (!c || size_of(c->type) < 4 || read(right(for_condition(loop))).count(c->name) != 0)
    return fail("E-DECLINED", "the loop over " + name + " does not count upwards to a bound it leaves alone");
  if (declared(for_body(loop)).count(c->name) != 0)
    return fail("E-DECLINED", "another " + c->name + " is declared in the loop over " + name);
  const Symbols symbols(function);
  if (auto reason = carried_between(loop, function, symbols); !reason.empty())
    return fail("E-DECLINED", "the loop over " + name + " must go in order: " + reason);
  const auto distinct = [&](const std::string& a, const std::string& b) { return never_same(a, b, symbols, facts); };
  if (!affine::iterations_independent(view, index, distinct))
    return fail("E-DECLINED",
                "the loop over " + name +
                    " must go in order: it could not be shown that its iterations touch different elements");
  return loop;
}

}  // namespace hone::rules
