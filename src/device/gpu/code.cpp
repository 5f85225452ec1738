#include "device/gpu/code.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "base/text.hpp"

namespace hone::device::gpu {

std::string source_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "a" would be a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  if (status != 0 || !text) return symbol;
  std::string name = replace_all(text.get(), "(anonymous namespace)::", "");
  // Of a template the result comes first: "void scale<float, 256>(float*)". Parameters are not part of the name.
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == ' ' && begin == 0) begin = i + 1;
    if (depth == 0 && name[i] == '(') {
      name.resize(i);
      break;
    }
  }
  return begin < name.size() ? name.substr(begin) : name;
}

}  // namespace hone::device::gpu
