#pragma once
// Statements that Clang dropped, read from their tokens as far as API calls need it: calls, assignments and simple
// declarations. Names stay words; the interpreter looks them up where they stand.

#include <string>
#include <vector>

#include "source/host/tree.hpp"

namespace hone::host {

/// `place` is where the text stands, byte by byte, or a macro that made it. What is not understood is left out.
std::vector<Node> statements_in(const std::string& text, const Place& place);

}  // namespace hone::host
