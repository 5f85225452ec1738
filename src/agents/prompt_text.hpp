#pragma once
// Prompts are files of assets/prompts with {{names}} in them. Here: the names filled in, and fences that nothing inside
// can close.

#include <map>
#include <string>
#include <string_view>

namespace hone::agents {

/// Every {{name}} replaced, once: what was filled in is not looked at again. A name without a value is a broken
/// invariant.
std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values);

/// The text in a Markdown fence longer than any inside it.
std::string fenced(std::string_view text, std::string_view info);

}  // namespace hone::agents
