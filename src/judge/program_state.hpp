#pragma once
// Variables that outlive a launch: those outside of every function, and static ones inside. A kernel that has some can
// count its calls or keep its answers; none needs them to be fast.

#include <set>
#include <string>
#include <string_view>

namespace hone::judge {

/// The names of variables that a launch may change and the next one sees. Constants are none.
std::set<std::string, std::less<>> program_state(std::string_view source);

}  // namespace hone::judge
