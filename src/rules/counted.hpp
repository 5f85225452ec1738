#pragma once
// Loops that count: for (T k = begin; k < end; k += step) with nothing else moving k or its bound, and no way out but
// its end. What `unroll` copies and what a tile may take together.

#include <optional>
#include <string>

#include "ir/tree.hpp"

namespace hone::rules {

struct Counted {
  std::string name;
  ir::Type type;
  ir::NodePtr begin;
  long long step = 1;
};

std::optional<Counted> counted(const ir::NodePtr& loop);

}  // namespace hone::rules
