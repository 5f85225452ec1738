#include <algorithm>
#include <cctype>

#include "agents/reply.hpp"
#include "base/text.hpp"

namespace hone::agents {
namespace {

/// The fence a line opens or closes with: its character and length; 0 when it is none.
struct Fence {
  char mark = 0;
  std::size_t length = 0;
};
Fence fence_of(std::string_view line) {
  line = trim(line);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const std::size_t length = std::min(line.find_first_not_of(line[0]), line.size());
  return length < 3 ? Fence{} : Fence{line[0], length};
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string without_thoughts(std::string text) {
  for (auto open = text.find("<think>"); open != std::string::npos; open = text.find("<think>")) {
    const auto close = text.find("</think>", open);
    text.erase(open, close == std::string::npos ? std::string::npos : close + 8 - open);
  }
  return text;
}

}  // namespace

std::vector<FencedBlock> fenced_blocks(const std::string& reply) {
  std::vector<FencedBlock> blocks;
  Fence open;
  std::string above;
  for (const std::string& line : split(without_thoughts(replace_all(reply, "\r\n", "\n")), '\n')) {
    const Fence fence = fence_of(line);
    const auto after = trim(line).substr(std::min(fence.length, trim(line).size()));
    if (open.length == 0 && fence.length > 0) {
      open = fence;
      blocks.push_back({lower(trim(after)), above, ""});
    } else if (open.length > 0 && fence.mark == open.mark && fence.length >= open.length && after.empty()) {
      open = {};
      above.clear();
    } else if (open.length > 0) {
      blocks.back().text += line + "\n";
    } else if (!trim(line).empty()) {
      above = lower(trim(line));
    }
  }
  return blocks;
}

}  // namespace hone::agents
