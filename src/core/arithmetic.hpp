#pragma once
// What the operators and functions of expressions mean on values: Python's rules, because constraint strings of other
// tuners must mean here what they mean there. Integers that would overflow are an error, never wrapped.

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/value.hpp"

namespace hone {

/// 0, 0.0, false and "" are false, everything else is true.
bool truth(const Value& value);
/// Booleans count as 0 and 1; nothing for a string.
std::optional<double> as_real(const Value& value);
/// Booleans count as 0 and 1; nothing for a string or a real that is not integral or does not fit.
std::optional<std::int64_t> as_integer(const Value& value);

/// op is one of + - * / // % **
Result<Value> apply_operator(std::string_view op, const Value& left, const Value& right);
Result<Value> negate(const Value& value);
/// op is one of < <= > >= == !=
Result<bool> compare(std::string_view op, const Value& left, const Value& right);
Result<Value> apply_function(std::string_view function, const std::vector<Value>& arguments);
bool is_function(std::string_view name);
/// All functions, for messages that name the nearest.
const std::vector<std::string>& function_names();

}  // namespace hone
