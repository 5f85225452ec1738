#include <cctype>
#include <charconv>
#include <cstring>

#include "emulator/ptx/module.hpp"

namespace hone::emulator::ptx {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

std::size_t skip_space(std::string_view text, std::size_t i) {
  while (i < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i), text.size() - 2) + 2;
    } else {
      break;
    }
  }
  return i;
}

template <class Bits>
std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  Bits bits = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return bits;
}

}  // namespace

std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = skip_space(text, 0); i < text.size(); i = skip_space(text, i)) {
    std::size_t end = i + 1;
    if (text[i] == '"') {
      end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
    } else if (is_word(text[i])) {
      // "shared::cta" is one word, a label and its colon are two.
      while (end < text.size() && (is_word(text[end]) || (text.substr(end, 2) == "::" && end + 2 < text.size())))
        end += text[end] == ':' ? 2 : 1;
    }
    out.push_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

std::size_t bytes_of_type(std::string_view type) {
  if (type == ".pred") return 1;
  if (type == ".f16x2" || type == ".bf16x2") return 4;
  if (type == ".bf16") return 2;
  if (type.size() < 3 || std::string_view("busf").find(type[1]) == std::string_view::npos) return 0;
  for (const auto& [bits, bytes] :
       {std::pair{"8", 1}, std::pair{"16", 2}, std::pair{"32", 4}, std::pair{"64", 8}, std::pair{"128", 16}})
    if (type.substr(2) == bits) return static_cast<std::size_t>(bytes);
  return 0;
}

std::optional<std::uint64_t> number_of(std::string_view word) {
  if (word.starts_with('-')) {
    const auto positive = number_of(word.substr(1));
    return positive ? std::optional(~*positive + 1) : std::nullopt;
  }
  if (word.starts_with("0f") || word.starts_with("0F")) return hexadecimal<std::uint32_t>(word.substr(2));
  if (word.starts_with("0d") || word.starts_with("0D")) return hexadecimal<std::uint64_t>(word.substr(2));
  if (word.ends_with('U')) word.remove_suffix(1);
  if (word.starts_with("0x") || word.starts_with("0X")) return hexadecimal<std::uint64_t>(word.substr(2));
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value, 10);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace hone::emulator::ptx
