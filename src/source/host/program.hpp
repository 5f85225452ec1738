#pragma once
// Several units as one program: which definition a call means, wherever it stands, and what a class is made of.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "source/host/made_kernels.hpp"
#include "source/host/tree.hpp"

namespace hone::host {

struct FunctionRef {
  std::int32_t unit = -1, function = -1;
  bool found() const { return function >= 0; }
  auto operator<=>(const FunctionRef&) const = default;
};

class Program {
 public:
  explicit Program(std::vector<Unit> units);
  const std::vector<Unit>& units() const { return units_; }
  const Unit& unit(std::int32_t index) const { return units_[static_cast<std::size_t>(index)]; }
  const Function& function(FunctionRef ref) const {
    return unit(ref.unit).functions[static_cast<std::size_t>(ref.function)];
  }

  /// The definition that a call in `unit` of its function entry means; not found when nobody defines it.
  FunctionRef definition(std::int32_t unit, std::int32_t function) const;
  /// By the name and the number of arguments alone, nearest to the unit.
  FunctionRef by_name(std::int32_t unit, const std::string& name, std::size_t arguments) const;
  /// A method of that class or its bases.
  FunctionRef method(const std::string& record, const std::string& name, std::size_t arguments) const;
  const Record* record(const std::string& name, std::int32_t* unit = nullptr) const;
  /// Where a global variable is defined.
  std::pair<std::int32_t, const Node*> global(std::int32_t unit, const std::string& key) const;

  /// Names of the kernels that are ever made into that variable or field, wherever that stands; nothing when something
  /// else may be put there.
  std::set<std::string> kernels_made_into(std::int32_t unit, const Node& target) const;

  /// Can running this end in a launch?
  bool launches(std::int32_t unit, const Node& node) const;
  /// Can running this reach any call of the table?
  bool matters(std::int32_t unit, const Node& node) const;
  std::vector<FunctionRef> roots() const;

 private:
  void find_pointed();
  void mark_reaching();
  bool walk(std::int32_t unit, const Node& node, bool launches_only) const;
  std::size_t nearness(std::int32_t from, std::int32_t to) const;

  std::vector<Unit> units_;
  std::map<std::string, std::vector<FunctionRef>> by_key_, by_name_;  // defined ones
  std::map<std::string, std::pair<std::int32_t, std::size_t>> records_;
  std::map<std::string, std::vector<std::pair<std::int32_t, std::size_t>>> globals_;
  std::map<FunctionRef, bool> launching_, mattering_, called_;
  std::vector<FunctionRef> pointed_;  // functions that tables of pointers hold
  mutable std::map<const Node*, bool> launches_memo_, matters_memo_;
  mutable std::optional<MadeKernels> made_kernels_;  // made when it is asked for
};

}  // namespace hone::host
