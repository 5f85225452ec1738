#pragma once
// The value lists of T1 files are Python text: "[16, 32]", "[1, 2] + list(range(32, 1025, 32))", "[2**i for i in
// range(6)]". A small evaluator of exactly such lists: no names but its own loop variables, no calls but list, range,
// sorted, tuple and those of expressions, bounded work.

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/value.hpp"

namespace hone::search {

Result<std::vector<Value>> evaluate_python_list(std::string_view text);

}  // namespace hone::search
