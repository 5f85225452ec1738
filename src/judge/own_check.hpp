#pragma once
// A person's own word on whether outputs are right, in the place of the types' rule. It is shown what K(0) left and
// what a candidate left of the same problem; guards, inputs and everything else are still the judge's.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/expression.hpp"

namespace hone::judge {

class OwnCheck {
 public:
  virtual ~OwnCheck() = default;
  using Outputs = std::map<std::string, std::vector<std::uint8_t>>;
  /// Why the outputs are wrong, in its own words; nothing when they are right.
  virtual Result<std::optional<std::string>> refusal(const Outputs& expected, const Outputs& got,
                                                     const std::map<std::string, Value>& scalars) = 0;
};

}  // namespace hone::judge
