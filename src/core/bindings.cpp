#include "core/bindings.hpp"

namespace hone {

bool is_named_like_bindings(std::string_view path) {
  const auto name = path.substr(path.find_last_of('/') + 1);
  return name == "cl.hpp" || name == "cl2.hpp" || name == "opencl.hpp";
}

bool is_opencl_bindings(std::string_view path, std::string_view text) {
  return is_named_like_bindings(path) && text.find("namespace cl") != std::string_view::npos &&
         text.find("class CommandQueue") != std::string_view::npos;
}

}  // namespace hone
