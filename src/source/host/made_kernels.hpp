#pragma once
// Which kernels are ever made into a variable or a field, over all units of a program. In: the trees. Out: their names,
// for launches in functions that are run without what made their kernels: behind pointers, in other threads, in
// methods of objects that nobody was seen to make.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "source/host/tree.hpp"

namespace hone::host {

class MadeKernels {
 public:
  explicit MadeKernels(const std::vector<Unit>& units);
  /// None when something else may be put there too.
  std::set<std::string> into(const Unit& unit, const Node& target) const;

 private:
  struct Made {
    std::set<std::string> names;
    bool others = false;
  };
  void read(const Unit& unit, const Node& node);
  void passed(const Unit& unit, const Node& call);
  void put(const std::string& key, const Node& value);
  std::map<std::string, Made> by_variable_;
};

}  // namespace hone::host
