#pragma once
// JSON that came from a server: anything may be missing or of another type.

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace hone::llm {

using Json = nlohmann::json;

/// Discarded when it is none; never throws.
Json parsed(const std::string& text);
/// A member of a member ..., or null when something on the way is missing.
const Json& at(const Json& json, std::initializer_list<std::string> path);
std::string text_at(const Json& json, std::initializer_list<std::string> path);
/// The beginning of a text that came from outside, on one line.
std::string beginning(const std::string& text);

}  // namespace hone::llm
