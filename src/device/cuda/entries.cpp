#include "device/cuda/entries.hpp"

#include <cctype>
#include <charconv>

namespace hone::device::cuda {

using gpu::Entry;

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

std::string word_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  const auto begin = at;
  while (at < text.size() && is_name(text[at])) ++at;
  return std::string(text.substr(begin, at - begin));
}

/// ".param .align 8 .b8 k_param_2[24]" takes 24 bytes, ".param .u64 k_param_0" eight.
std::size_t bytes_of(std::string_view parameter) {
  std::size_t element = 0, count = 1;
  for (const auto& [word, bytes] : {std::pair{"8 ", 1}, {"16 ", 2}, {"32 ", 4}, {"64 ", 8}})
    for (const char kind : {'b', 'u', 's', 'f'})
      if (parameter.find("." + std::string(1, kind) + word) != std::string_view::npos)
        element = static_cast<std::size_t>(bytes);
  if (const auto open = parameter.find('['); open != std::string_view::npos)
    std::from_chars(parameter.data() + open + 1, parameter.data() + parameter.size(), count);
  return element * count;
}

std::vector<std::size_t> parameters_of(std::string_view list) {
  std::vector<std::size_t> out;
  for (std::size_t at = list.find(".param"); at != std::string_view::npos;) {
    const auto next = list.find(".param", at + 1);
    out.push_back(bytes_of(list.substr(at, next == std::string_view::npos ? next : next - at)));
    at = next;
  }
  return out;
}

}  // namespace

std::vector<Entry> entries_of(std::string_view ptx) {
  std::vector<Entry> out;
  constexpr std::string_view kEntry = ".entry ";
  for (auto at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at)) {
    at += kEntry.size();
    Entry entry;
    entry.symbol = word_at(ptx, at);
    entry.name = gpu::source_name(entry.symbol);
    const auto body = ptx.find('{', at), open = ptx.find('(', at);
    if (open < body) entry.parameter_bytes = parameters_of(ptx.substr(open, body - open));
    out.push_back(std::move(entry));
  }
  return out;
}

std::map<std::string, std::string> variables_of(std::string_view ptx) {
  std::map<std::string, std::string> out;
  for (const std::string_view space : {"\n.visible .const ", "\n.visible .global ", "\n.const ", "\n.global "})
    for (auto at = ptx.find(space); at != std::string_view::npos; at = ptx.find(space, at + 1)) {
      auto end = ptx.find_first_of("[=;\n", at + space.size());
      auto text = ptx.substr(at, end - at);
      while (!text.empty() && !is_name(text.back())) text.remove_suffix(1);
      auto begin = text.size();
      while (begin > 0 && is_name(text[begin - 1])) --begin;
      const std::string symbol(text.substr(begin));
      out[gpu::source_name(symbol)] = symbol;
    }
  return out;
}

}  // namespace hone::device::cuda
