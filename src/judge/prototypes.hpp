#pragma once
// Functions that a source declares and does not define: the way to code that is not the candidate's own.

#include <string>
#include <string_view>
#include <vector>

namespace hone::judge {

std::vector<std::string> undefined_prototypes(std::string_view source, const std::vector<std::string>& options);

}  // namespace hone::judge
