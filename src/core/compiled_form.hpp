#pragma once
// What a runtime keeps on disk of a program it compiled, by names of its own. Another process of the same runtime that
// is given it need not compile.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hone {

using CompiledForm = std::map<std::string, std::vector<std::uint8_t>>;

}  // namespace hone
