#include "agents/prompt_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/text.hpp"

namespace hone::agents {
namespace {

constexpr std::string_view version_mark = "<!-- version ";

}  // namespace

int prompt_version(std::string_view text) {
  int version = 0;
  if (text.starts_with(version_mark))
    std::from_chars(text.data() + version_mark.size(), text.data() + text.size(), version);
  return version;
}

std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  if (text.starts_with(version_mark)) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
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

std::string numbered_lines(std::string_view text) {
  std::string out;
  auto lines = split(std::string(text), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (std::size_t i = 0; i < lines.size(); ++i) out += fmt::format("{:>4}| {}\n", i + 1, lines[i]);
  return out;
}

std::string without_controls(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto rest = text.substr(i);
    const auto c = static_cast<unsigned char>(text[i]);
    // NEL, and the line and paragraph separators, which end lines as well.
    const std::size_t wide = rest.starts_with("\xc2\x85")                                           ? 2
                             : rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9") ? 3
                                                                                                    : 0;
    if (wide > 0) i += wide - 1;
    out += wide > 0 || c < 32 || c == 127 ? ' ' : text[i];
  }
  return out;
}

std::string one_line(std::string_view text, std::size_t most) {
  const auto all = trim(text);
  auto out = replace_all(without_controls(all.substr(0, most)), "`", "'");
  return all.size() > most ? out + "..." : out;
}

}  // namespace hone::agents
