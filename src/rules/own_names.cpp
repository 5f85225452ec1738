#include "rules/own_names.hpp"

#include <algorithm>
#include <map>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/facts.hpp"

namespace hone::rules {
using namespace ir;

namespace {

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
  OwnNames(std::set<std::string> used, std::set<std::string>& taken, std::string suffix)
      : used_(std::move(used)), taken_(taken), suffix_(std::move(suffix)) {}
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
    const auto own = fresh_name(v->text + suffix_, taken_);
    used_.insert(own);
    names[v->text] = own;
    return with_text(out, own);
  }

  std::set<std::string> used_;
  std::set<std::string>& taken_;
  std::string suffix_;
};

}  // namespace

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

Nodes own_names(const Nodes& statements, std::set<std::string> used, std::set<std::string>& taken,
                const std::string& suffix) {
  return OwnNames(std::move(used), taken, suffix).list(statements, {});
}

}  // namespace hone::rules
