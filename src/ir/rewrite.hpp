#pragma once
// Walks and rewrites over the immutable tree. A rewrite keeps every node it does not change, pointer and all, so that
// untouched bytes survive printing.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ir/tree.hpp"

namespace hone::ir {

/// Every node, parents before children; `enter` returns false to skip what is below.
void visit(const NodePtr& node, const std::function<bool(const NodePtr&)>& enter);
/// Every node, for those who never skip.
void for_each(const NodePtr& node, const std::function<void(const NodePtr&)>& see);
bool any_of(const NodePtr& node, const std::function<bool(const NodePtr&)>& test);
Nodes find_all(const NodePtr& node, Kind kind);

/// Children first, then `change` on the (possibly rebuilt) node; what it returns takes the node's place. Returning the
/// argument keeps it.
NodePtr rewrite(const NodePtr& node, const std::function<NodePtr(const NodePtr&)>& change);
/// As rewrite, for statement lists: `change` gives the statements that take the place of one (none deletes it). Called
/// for each child of a Block or Unit after what is below it was done.
NodePtr rewrite_statements(const NodePtr& node, const std::function<Nodes(const NodePtr&)>& change);
/// Exactly this node (by identity) becomes that one.
NodePtr replace(const NodePtr& root, const NodePtr& what, const NodePtr& with);

/// Names that are read or written but not declared inside are replaced; a declaration of the same name inside shadows
/// it.
NodePtr substitute(const NodePtr& node, const std::map<std::string, NodePtr>& values);
/// Declarations and uses alike get the new name.
NodePtr rename(const NodePtr& node, const std::map<std::string, std::string>& names);

/// Every identifier that occurs: names, declarations, callees, and words inside Verbatim, TopLevel and Directive texts.
std::set<std::string> identifiers(const NodePtr& node);
/// `wish`, or wish_1, wish_2, ... : the first that `taken` does not hold; it is added there.
std::string fresh_name(const std::string& wish, std::set<std::string>& taken);

/// Names declared by the statements of this subtree (Variables, Verbatim declarations).
std::set<std::string> declared(const NodePtr& node);
/// Variables this subtree may write: targets of Assign, ++ and --, of whatever is at the root of a[i].x; address-taken
/// names too. Pointees written through a pointer count as the pointer's name.
std::set<std::string> written(const NodePtr& node);
/// Variables this subtree may read.
std::set<std::string> read(const NodePtr& node);
bool contains_verbatim(const NodePtr& node);
/// The variable at the root of a[i][j].x, *p or p->x; null when it is something else.
NodePtr root_name(const NodePtr& access);

}  // namespace hone::ir
