#pragma once
// A Space: named parameters with their values, and constraints over them. A Configuration: one value for each.

#include <map>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/value.hpp"

namespace hone {

struct Parameter {
  std::string name;
  std::vector<Value> values;
  Value default_value;
  bool operator==(const Parameter&) const = default;
};

/// Named, so that a message can say which constraint a configuration breaks.
struct Constraint {
  std::string name;
  Expression condition;
  bool operator==(const Constraint&) const = default;
};

struct Space {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  bool operator==(const Space&) const = default;
};

using Configuration = std::map<std::string, Value>;

/// "TI=4 VX=16", in the order of the names.
std::string print(const Configuration& configuration);
Configuration default_configuration(const Space& space);

}  // namespace hone
