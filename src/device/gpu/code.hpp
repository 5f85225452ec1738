#pragma once
// What a vendor's compiler made of a source, as far as loading and launching need it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "device/device.hpp"

namespace hone::device::gpu {

struct Entry {
  std::string symbol;                           // as the module exports it
  std::string name;                             // as the source has it: "ns::scale", "scale<float, 256>"
  std::vector<std::size_t> parameter_bytes;     // in order
  std::map<std::string, std::int64_t> numbers;  // resources, where the code itself tells them
};

struct Code {
  std::vector<std::string> images;  // for the driver: the first it takes is loaded
  std::vector<Entry> entries;
  std::map<std::string, std::string> variables;  // symbols by names of the source
  std::map<std::string, std::string> lowered;    // symbols of the instances that were asked for
};

/// `names`: instances of templates, as C++ writes them.
using Compile = std::function<std::variant<Code, BuildLog>(
    const std::string& source, const std::vector<std::string>& options, const std::vector<std::string>& names)>;

/// "ns::scale" of "_ZN2ns5scaleEPf"; what is not mangled stays.
std::string source_name(const std::string& symbol);

}  // namespace hone::device::gpu
