#include "device/opencl/build_log.hpp"

#include <cctype>

namespace hone::device {
namespace {

bool ends_a_name(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"' || c == '\'' || c == '(';
}

}  // namespace

std::string without_temporary_names(std::string_view log) {
  constexpr std::string_view ending = ".cl:";
  std::string out;
  std::size_t copied = 0;
  for (auto at = log.find(ending); at != std::string_view::npos; at = log.find(ending, at + ending.size())) {
    auto begin = at;
    while (begin > copied && !ends_a_name(log[begin - 1])) --begin;
    const bool is_path = begin < at && log[begin] == '/';
    const bool has_line =
        at + ending.size() < log.size() && std::isdigit(static_cast<unsigned char>(log[at + ending.size()])) != 0;
    if (!is_path || !has_line) continue;
    out.append(log.substr(copied, begin - copied)).append("kernel");
    copied = at;
  }
  return out.append(log.substr(copied));
}

}  // namespace hone::device
