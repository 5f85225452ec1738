#pragma once
// Prompts are files of assets/prompts with {{names}} in them. Here: the names filled in, and text from outside made
// harmless: fences that nothing inside can close, and lines that cannot become several.

#include <map>
#include <string>
#include <string_view>

namespace hone::agents {

/// Every {{name}} replaced, once: what was filled in is not looked at again. A name without a value is a broken
/// invariant. The line with the file's version is left out.
std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values);
/// N of "<!-- version N -->" in its first line; 0 when it has none.
int prompt_version(std::string_view text);

/// The text in a Markdown fence longer than any inside it.
std::string fenced(std::string_view text, std::string_view info);
/// "  1| line" for each.
std::string numbered_lines(std::string_view text);
/// Whatever may end a line, or change how one looks, as a space.
std::string without_controls(std::string_view text);
/// The same, and backquotes as apostrophes; cut at `most`.
std::string one_line(std::string_view text, std::size_t most = 1000);

}  // namespace hone::agents
