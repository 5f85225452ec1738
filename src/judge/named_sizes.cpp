#include "judge/named_sizes.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

#include "core/c_tokens.hpp"

namespace hone::judge {
namespace {

/// Sizes beyond this are nobody's; smaller than this, a problem has no inside.
constexpr std::int64_t kLargest = std::int64_t{1} << 30, kLeast = 4;

/// How many values a type has, from zero on.
struct Narrow {
  std::string_view name;
  std::int64_t most;
};
constexpr Narrow kNarrow[] = {{"char", 128}, {"uchar", 256}, {"short", 32768}, {"ushort", 65536}};

std::optional<std::int64_t> whole(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  const std::string_view rest(end, text.data() + text.size());
  if (code != std::errc() || rest.find_first_not_of("uUlL") != std::string_view::npos) return std::nullopt;
  return value;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (const auto& token : c_tokens(text))
    if (token.kind == CToken::Kind::Identifier || token.kind == CToken::Kind::Number ||
        token.kind == CToken::Kind::Punctuation)
      tokens.push_back(token.text);
  return tokens;
}

/// `[12]` of a declaration or of an access: what is no extent does no harm.
std::set<std::int64_t> extents_in(std::string_view text) {
  std::set<std::int64_t> out;
  const auto tokens = words_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
    if (tokens[i] == "[" && tokens[i + 2] == "]")
      if (const auto value = whole(tokens[i + 1]); value && *value >= kLeast && *value <= kLargest) out.insert(*value);
  return out;
}

std::set<std::int64_t> numbers_in(std::string_view text) {
  const auto tokens = words_of(text);
  std::set<std::int64_t> out;
  const auto keep = [&](std::int64_t value) {
    if (value >= kLeast && value <= kLargest) out.insert(value);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto narrow = std::ranges::find(kNarrow, tokens[i], &Narrow::name);
    if (narrow != std::end(kNarrow)) keep(narrow->most);
    const auto value = whole(tokens[i]);
    if (!value) continue;
    keep(*value);
    const bool shifted = i + 2 < tokens.size() && tokens[i + 1] == "<<";
    const bool split_shift = i + 3 < tokens.size() && tokens[i + 1] == "<" && tokens[i + 2] == "<";
    const auto right = shifted                                         ? whole(tokens[i + 2])
                       : split_shift                                   ? whole(tokens[i + 3])
                       : i + 2 < tokens.size() && tokens[i + 1] == "*" ? whole(tokens[i + 2])
                                                                       : std::nullopt;
    if (!right || *right < 0 || *value < 0 || *value > kLargest || *right > kLargest) continue;
    if (!shifted && !split_shift)
      keep(*value * *right);
    else if (*right < 30)
      keep(*value << *right);
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> named_sizes(std::string_view candidate, std::string_view original, std::size_t most) {
  const auto known = numbers_in(original);
  std::set<std::int64_t> out;
  // Large ones first: those are bounds rather than tiles.
  const auto named = numbers_in(candidate);
  for (auto value = named.rbegin(); value != named.rend(); ++value) {
    if (known.contains(*value)) continue;
    for (const auto near : {*value, *value + 1, *value - 1})
      if (near >= kLeast && out.size() < most) out.insert(near);
  }
  return {out.begin(), out.end()};
}

std::vector<std::int64_t> behind_arrays(std::string_view candidate, std::string_view original) {
  const auto known = extents_in(original);
  std::vector<std::int64_t> out;
  for (const auto extent : extents_in(candidate))
    if (!known.contains(extent)) out.push_back(extent + 1);
  return out;
}

std::string text_with_sizes(const Variant& variant) {
  auto out = variant.source;
  for (const auto& launch : variant.launches)
    for (const auto* sizes : {&launch.global, &launch.local})
      for (const auto& size : *sizes) out += "\n" + size.print();
  for (const auto& option : variant.options)
    if (const auto value = option.find('='); value != std::string::npos) out += "\n" + option.substr(value + 1);
  return out;
}

}  // namespace hone::judge
