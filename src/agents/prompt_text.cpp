#include "agents/prompt_text.hpp"

#include <algorithm>
#include <cassert>

namespace hone::agents {

std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (;;) {
    const auto open = text.find("{{");
    const auto close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out.append(text);
    const auto value = values.find(std::string(text.substr(open + 2, close - open - 2)));
    assert(value != values.end());
    out.append(text.substr(0, open));
    if (value != values.end()) out += value->second;
    text.remove_prefix(close + 2);
  }
}

std::string fenced(std::string_view text, std::string_view info) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + std::string(info) + "\n" + std::string(text);
  if (!out.ends_with('\n')) out += '\n';
  return out + fence;
}

}  // namespace hone::agents
