#pragma once
// JSON as other tuners write it: Python prints NaN and Infinity as bare words, and a cache whose writer was killed
// lacks its closing brackets. Both are read here, and written back as they were.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/value.hpp"

namespace hone::search {

using Json = nlohmann::ordered_json;

/// E-FORMAT with what the parser says. NaN and the infinities become strings that print_json turns back.
Result<Json> parse_json(std::string_view text);
/// For files that nobody leaves half written: E-FORMAT with line:column of what is wrong.
Result<Json> parse_whole_json(std::string_view text);
/// Python's spacing: ", " and ": " on one line; with `indent` 0, one item a line without indentation.
std::string print_json(const Json& json, int indent = -1);

Result<Value> value_of(const Json& json);
Json json_of(const Value& value);
/// A finite number, or nothing: strings, null and NaN mean that the configuration failed.
bool is_finite_number(const Json& json);

}  // namespace hone::search
