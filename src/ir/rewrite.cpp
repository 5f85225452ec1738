#include "ir/rewrite.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.hpp"

namespace hone::ir {
namespace {

void add_words(std::string_view text, std::set<std::string>& out) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    while (at < text.size() && in_name(text[at])) ++at;
    if (at > begin && std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
      out.emplace(text.substr(begin, at - begin));
    if (at == begin) ++at;
  }
}

bool declares_here(const NodePtr& statement, const std::string& name) {
  const auto declared_by = [&](const NodePtr& n) {
    return is(n, Kind::Declare) &&
           std::any_of(n->children.begin(), n->children.end(), [&](const NodePtr& v) { return v->text == name; });
  };
  return declared_by(statement) || (is(statement, Kind::For) && declared_by(for_init(statement)));
}

using Values = std::map<std::string, NodePtr>;

NodePtr substituted(const NodePtr& node, Values values);

/// From its declaration on, a name means something else in the rest of the list; its own initial value may still be
/// ours.
Nodes substituted_list(const Nodes& statements, Values values) {
  Nodes out;
  for (const auto& statement : statements) {
    if (is(statement, Kind::Declare)) {
      Nodes variables;
      for (const auto& v : statement->children) {
        Values visible = values;
        visible.erase(v->text);
        variables.push_back(substituted(v, visible));
        values.erase(v->text);
      }
      out.push_back(with_children(statement, std::move(variables)));
    } else {
      out.push_back(substituted(statement, values));
    }
  }
  return out;
}

NodePtr substituted(const NodePtr& node, Values values) {
  if (values.empty()) return node;
  if (node->kind == Kind::Name) {
    const auto found = values.find(node->text);
    return found == values.end() ? node : found->second;
  }
  if (node->kind == Kind::Block || node->kind == Kind::Declare)
    return node->kind == Kind::Block ? with_children(node, substituted_list(node->children, std::move(values)))
                                     : substituted_list({node}, std::move(values)).front();
  if (node->kind == Kind::For) {
    Values inner = values;
    auto init = substituted(for_init(node), values);
    std::erase_if(inner, [&](const auto& entry) { return declares_here(for_init(node), entry.first); });
    return with_children(node, {std::move(init), substituted(for_condition(node), inner),
                                substituted(for_step(node), inner), substituted(for_body(node), inner)});
  }
  if (node->kind == Kind::Function)
    for (const auto& p : parameters_of(node)) values.erase(p->text);
  Nodes children;
  children.reserve(node->children.size());
  for (const auto& child : node->children) children.push_back(substituted(child, values));
  return with_children(node, std::move(children));
}

}  // namespace

void visit(const NodePtr& node, const std::function<bool(const NodePtr&)>& enter) {
  if (!enter(node)) return;
  for (const auto& child : node->children) visit(child, enter);
}

void for_each(const NodePtr& node, const std::function<void(const NodePtr&)>& see) {
  visit(node, [&](const NodePtr& n) {
    see(n);
    return true;
  });
}

bool any_of(const NodePtr& node, const std::function<bool(const NodePtr&)>& test) {
  return test(node) ||
         std::any_of(node->children.begin(), node->children.end(), [&](const NodePtr& c) { return any_of(c, test); });
}

Nodes find_all(const NodePtr& node, Kind kind) {
  Nodes out;
  for_each(node, [&](const NodePtr& n) {
    if (n->kind == kind) out.push_back(n);
  });
  return out;
}

NodePtr rewrite(const NodePtr& node, const std::function<NodePtr(const NodePtr&)>& change) {
  Nodes children;
  children.reserve(node->children.size());
  for (const auto& child : node->children) children.push_back(rewrite(child, change));
  return change(with_children(node, std::move(children)));
}

NodePtr rewrite_statements(const NodePtr& node, const std::function<Nodes(const NodePtr&)>& change) {
  const bool list = node->kind == Kind::Block || node->kind == Kind::Unit;
  Nodes children;
  for (const auto& child : node->children) {
    auto done = rewrite_statements(child, change);
    if (list) {
      auto several = change(done);
      children.insert(children.end(), several.begin(), several.end());
    } else {
      children.push_back(std::move(done));
    }
  }
  return with_children(node, std::move(children));
}

NodePtr replace(const NodePtr& root, const NodePtr& what, const NodePtr& with) {
  if (root == what) return with;
  Nodes children;
  children.reserve(root->children.size());
  for (const auto& child : root->children) children.push_back(replace(child, what, with));
  return with_children(root, std::move(children));
}

NodePtr substitute(const NodePtr& node, const std::map<std::string, NodePtr>& values) {
  return substituted(node, values);
}

NodePtr rename(const NodePtr& node, const std::map<std::string, std::string>& names) {
  return rewrite(node, [&](const NodePtr& n) {
    const bool carries = n->kind == Kind::Name || n->kind == Kind::Variable || n->kind == Kind::Parameter ||
                         n->kind == Kind::Function || n->kind == Kind::Call;
    const auto found = carries ? names.find(n->text) : names.end();
    return found == names.end() ? n : with_text(n, found->second);
  });
}

std::set<std::string> identifiers(const NodePtr& node) {
  std::set<std::string> out;
  for_each(node, [&](const NodePtr& n) {
    add_words(n->text, out);
    add_words(n->type.name, out);
    if (n->origin.owns()) add_words(n->origin.bytes(), out);
  });
  return out;
}

std::string fresh_name(const std::string& wish, std::set<std::string>& taken) {
  std::string name = wish;
  for (int i = 1; !taken.insert(name).second; ++i) name = wish + "_" + std::to_string(i);
  return name;
}

std::set<std::string> declared(const NodePtr& node) {
  std::set<std::string> out;
  for_each(node, [&](const NodePtr& n) {
    if (n->kind == Kind::Variable) out.insert(n->text);
    if (n->effects) out.insert(n->effects->declares.begin(), n->effects->declares.end());
  });
  return out;
}

NodePtr root_name(const NodePtr& access) {
  switch (access->kind) {
    case Kind::Name: return access;
    case Kind::Index:
    case Kind::Member:
    case Kind::Cast: return root_name(access->children[0]);
    case Kind::Unary:
      return access->text == "-" || access->text == "!" || access->text == "~" ? nullptr
                                                                               : root_name(access->children[0]);
    case Kind::Binary:
      for (const auto& side : access->children)
        if (side->type.is_pointer() || side->type.is_array()) return root_name(side);
      return nullptr;
    default: return nullptr;
  }
}

std::set<std::string> written(const NodePtr& node) {
  std::set<std::string> out;
  for_each(node, [&](const NodePtr& n) {
    const bool steps = n->kind == Kind::Unary && (n->text.ends_with("++") || n->text.ends_with("--") || n->text == "&");
    if (n->kind == Kind::Assign || steps) {
      if (const auto root = root_name(n->children[0])) out.insert(root->text);
    } else if (n->kind == Kind::Call) {
      for (const auto& argument : n->children)
        if (argument->type.is_pointer() || argument->type.is_array())
          if (const auto root = root_name(argument)) out.insert(root->text);
    } else if (n->effects) {
      out.insert(n->effects->writes.begin(), n->effects->writes.end());
    }
  });
  return out;
}

std::set<std::string> read(const NodePtr& node) {
  std::set<std::string> out;
  visit(node, [&](const NodePtr& n) {
    if (n->kind == Kind::Name) out.insert(n->text);
    if (n->effects) out.insert(n->effects->reads.begin(), n->effects->reads.end());
    if (n->kind == Kind::Assign && n->text == "=" && is(n->children[0], Kind::Name)) {
      out.merge(read(n->children[1]));
      return false;
    }
    return true;
  });
  return out;
}

bool contains_verbatim(const NodePtr& node) {
  return any_of(node, [](const NodePtr& n) { return n->kind == Kind::Verbatim; });
}

}  // namespace hone::ir
