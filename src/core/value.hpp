#pragma once
// A value a parameter, a scalar or an expression can take.

#include <cstdint>
#include <string>
#include <variant>

namespace hone {

using Value = std::variant<bool, std::int64_t, double, std::string>;

/// As written in an expression or a TOML file: 3, 0.5, true, "row".
std::string print(const Value& value);

}  // namespace hone
