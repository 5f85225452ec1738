#pragma once
// A kernel's statements split at its barriers. In: statements and what a group shares in them. Out: parts in order,
// each done before the next begins: once for the group, once for every work-item, or a loop or branch that all take
// alike.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "rules/group_values.hpp"

namespace hone::rules {

struct Part {
  enum class Kind {
    Once,     // `node`: a statement over what is shared
    Items,    // `statements`, for every work-item
    Control,  // `node`: a loop or branch around `inside` and `otherwise`
  };
  Kind kind = Kind::Once;
  ir::NodePtr node;
  ir::Nodes statements;
  ir::NodePtr only_while;   // of Items: those up to the first for which this does not hold; over ids
  bool first_only = false;  // of Items: the first work-item alone
  bool one_by_one = false;  // of Items: vectors would gain nothing
  std::vector<Part> inside, otherwise;
};

/// E-DECLINED where work-items of one group may come to different barriers, or share what cannot be held once.
/// `taken` gets the names that are made.
Result<std::vector<Part>> parts_of(const ir::Nodes& statements, const GroupValues& values, const Symbols& symbols,
                                   std::set<std::string>& taken);

}  // namespace hone::rules
