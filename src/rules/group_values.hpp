#pragma once
// What the work-items of one group share. In: a kernel's statements, in which get_local_id() is what tells them apart.
// Out: which values are the same for all of them, which follow from the ids alone, and which conditions hold for the
// first so many of a row and for no other.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rules/variance.hpp"

namespace hone::rules {

class GroupValues {
 public:
  GroupValues(const ir::Unit& unit, const ir::Nodes& statements, const Symbols& symbols, std::size_t dimensions);

  /// The same for every work-item of the group, and without effects.
  bool shared(const ir::NodePtr& expression) const;
  bool shared_variable(const std::string& name) const;
  /// Evaluating it changes nothing, once or again.
  bool quiet(const ir::NodePtr& expression) const;
  /// All work-items of the group do the same turns of the loop.
  bool shared_loop(const ir::NodePtr& loop) const;

  /// A variable that can be computed again from ids and from what is shared and never changes.
  bool from_ids(const std::string& name) const { return again_.count(name) != 0; }
  const ir::NodePtr& definition(const std::string& name) const { return again_.at(name); }
  /// The expression over ids and shared variables alone; nothing when it needs more.
  std::optional<ir::NodePtr> over_ids(const ir::NodePtr& expression) const;

  /// Of a condition over ids: along dimension 0 it holds up to some work-item and for none after it.
  bool holds_for_first(const ir::NodePtr& condition) const;
  /// It holds for the first work-item of the group only.
  bool only_first(const ir::NodePtr& condition) const;
  /// Steps by one from each work-item of dimension 0 to the next, the same along the others.
  bool counts_items(const ir::NodePtr& expression) const;
  bool positive(const ir::NodePtr& expression) const;
  /// Values from `first` on, held as `type`, compare with one of `other` as numbers do: none is negative and then taken
  /// for a large one.
  bool compares(const ir::NodePtr& first, const ir::Type& type, const ir::Type& other) const;

 private:
  ir::NodePtr marked(const ir::NodePtr& node) const;
  bool not_negative(const ir::NodePtr& expression) const;
  bool rises(const ir::NodePtr& low, const ir::NodePtr& high) const;
  bool cheap(const ir::NodePtr& expression) const;

  const ir::Unit& unit_;
  const Symbols& symbols_;
  std::size_t dimensions_;
  std::vector<Variance> along_;
  std::set<std::string> changed_;
  std::map<std::string, ir::NodePtr> first_values_, again_;
};

/// Reads what other work-items may write, a __local variable without an index too.
bool reads_memory(const ir::NodePtr& node, const Symbols& symbols);

/// Variables of the kernel that the node assigns or takes the address of; not what lies in memory behind a pointer.
std::set<std::string> assigned_variables(const ir::NodePtr& node, const Symbols& symbols);

}  // namespace hone::rules
