#pragma once
// Several problem sizes in the place of one. In: a Mep and sizes by name ("tokens=64,d=11008"). Out: the Mep with a
// workload for each: tune ones that a configuration is chosen on, held-out ones that it is reported on.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"

namespace hone {

struct Shape {
  Role role = Role::Tune;
  std::map<std::string, Value> scalars;
  bool operator==(const Shape&) const = default;
};

/// "tokens=64,d=11008"; E-SHAPE for anything else.
Result<Shape> parse_shape(std::string_view text, Role role);

/// "d11008-tokens64"
std::string name_of(const Shape& shape);

/// Shapes of a role take the place of the workloads of that role; roles without a shape keep theirs. What a shape does
/// not name is as in the first tune workload. E-SHAPE for a name that no workload has, and for sizes that the contract
/// or the work-groups do not allow.
Result<Mep> with_shapes(Mep mep, const std::vector<Shape>& shapes);

}  // namespace hone
