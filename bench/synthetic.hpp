#pragma once
// Spaces made up to be awkward, every point of them known: plateaus, walls of failures, ruggedness, strong
// interactions, switches, categories, real grids, tiny ones. A strategy that is good only on what it was chosen on
// shows it here.

#include <string>
#include <vector>

#include "search/cache_file.hpp"

namespace hone::search {

struct SyntheticSpace {
  std::string name;
  Cache cache;
};

/// The same spaces for the same seed.
std::vector<SyntheticSpace> synthetic_spaces(std::uint64_t seed);

}  // namespace hone::search
