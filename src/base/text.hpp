#pragma once
// Small text functions that several folders need.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// Letters and underscore; digits too. ASCII only, whatever the locale.
bool starts_name(char c);
bool in_name(char c);
bool is_identifier(std::string_view text);
/// 1-based line of a byte offset.
std::size_t line_of(std::string_view text, std::size_t offset);
/// The candidate closest to `word` by edit distance, when it is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hone
