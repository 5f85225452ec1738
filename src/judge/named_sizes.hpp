#pragma once
// Sizes that a candidate's own text names. A kernel that is right up to some bound, or wrong at one size, has that
// number in it: an array of so many elements, a comparison, a tile. So it is tried there, one below and one above.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/template.hpp"

namespace hone::judge {

/// Whole numbers of the candidate's text that the original's text does not have, with their neighbours; `1 << 20` and
/// `16 * 16` count as what they are, and types of 8 and 16 bits as what they hold. None below 4, at most so many,
/// ascending.
std::vector<std::int64_t> named_sizes(std::string_view candidate, std::string_view original, std::size_t most = 30);

/// One more than each array of the candidate holds and none of the original does: what lies behind a private array is
/// seldom seen in an output, so a few groups are interpreted there.
std::vector<std::int64_t> behind_arrays(std::string_view candidate, std::string_view original);

/// All of a variant's text that may name a size: source, launches, options.
std::string text_with_sizes(const Variant& variant);

}  // namespace hone::judge
