#pragma once
// What kind of code a kernel is, in a few features that say which changes may pay: dimensions of the launch, depth of
// loops, element types, local memory and barriers, mathematical functions. Written as one line, so that it can be
// stored, read by people and compared.

#include <map>
#include <string>

#include "core/mep.hpp"

namespace hone::patterns {

/// "dimensions=2 loops=1 types=float buffers=3 written=1 local=no math=no branches=1", by name.
using Features = std::map<std::string, std::string>;

Features features_of(const Mep& mep);
std::string print(const Features& features);
/// Unknown words are kept: a newer Hone may have written them.
Features parse(const std::string& signature);
/// 0 (nothing in common) to 1 (the same kind of code).
double likeness(const Features& a, const Features& b);

}  // namespace hone::patterns
