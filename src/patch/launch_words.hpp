#pragma once
// What device text calls its place in the launch and the launch's sizes, and where it asks for them: OpenCL's functions
// for work-items and groups, CUDA's and HIP's variables for blocks. In: the text. Out: places and words, or why not.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/expression.hpp"
#include "core/language.hpp"
#include "core/origin.hpp"
#include "patch/host_expression.hpp"

namespace hone::patch {

/// `launch.global[0]`, as expressions call it.
std::string size_called(std::string_view which, std::size_t d);

/// `launch.global[d]`, `launch.local[d]` and `launch.groups[d]` in device words.
HostNames size_names(Language language);

/// How many groups `global` is, over `launch.groups[d]` where that is exact.
Expression groups_of(Language language, const Expression& global, std::size_t d);

/// What a thread calls its own place: of its group, or of itself.
std::string place_called(Language language, bool group, std::size_t d);

/// The first word by which the text works in groups; empty when it does not.
std::string word_of_groups(Language language, const std::string& source);

struct SizeUse {
  ByteRange place;
  std::size_t dimension = 0;
  bool groups = false;  // asks for groups, not for work-items
};

/// Where the text asks for the launch's size in one of the `changed` dimensions. Fails with the reason when it may ask
/// in a way that is not seen here.
Result<std::vector<SizeUse>> size_uses(Language language, const std::string& source, const std::vector<bool>& changed);

}  // namespace hone::patch
