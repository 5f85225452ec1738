#pragma once
// What PTX says about the kernels in it: their names and what they take.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hone::device::cuda {

struct Entry {
  std::string symbol;                        // as the module exports it
  std::string name;                          // as the source has it: "ns::scale", "scale<float, 256>"
  std::vector<std::size_t> parameter_bytes;  // in order
};
std::vector<Entry> entries_of(std::string_view ptx);
/// Variables of the module by their names in the source, with the names it exports.
std::map<std::string, std::string> variables_of(std::string_view ptx);
/// "ns::scale" of "_ZN2ns5scaleEPf"; what is not mangled stays.
std::string source_name(const std::string& symbol);

}  // namespace hone::device::cuda
