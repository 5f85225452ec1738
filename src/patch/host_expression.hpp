#pragma once
// Launch sizes as C text. In: an expression over `launch.global[i]`, `launch.local[i]` and workload scalars, and what
// each of these is called in the host code. Out: an unsigned integer expression a person can read; what has no exact
// counterpart there (real division) is refused.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/expression.hpp"

namespace hone::patch {

/// The host's text for a name: a postfix expression or a literal, so that it needs no brackets.
using HostNames = std::function<std::optional<std::string>(std::string_view name)>;

/// E-LAUNCHSITE names what cannot be said in the host code.
Result<std::string> host_expression(const Expression& expression, const HostNames& names);
/// The same, rounded up to a multiple of `multiple`.
Result<std::string> host_rounded(const Expression& expression, const Expression& multiple, const HostNames& names);

}  // namespace hone::patch
