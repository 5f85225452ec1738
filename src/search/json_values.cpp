#include "search/json_values.hpp"

#include <algorithm>
#include <cmath>

namespace hone::search {

namespace {

/// No configuration value starts with this byte.
constexpr char mark = '\x01';

/// Bare NaN, Infinity and -Infinity as marked strings, and the brackets that are missing at the end.
std::string made_strict(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  std::string closing;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      out += text.substr(i, end - i);
      i = end;
      continue;
    }
    bool replaced = false;
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (text.substr(i, word.size()) != word) continue;
      out += "\"\\u0001" + std::string(word) + "\"";
      i += word.size();
      replaced = true;
      break;
    }
    if (replaced) continue;
    if (c == '{' || c == '[') closing += c == '{' ? '}' : ']';
    if ((c == '}' || c == ']') && !closing.empty()) closing.pop_back();
    out += c;
    ++i;
  }
  if (closing.empty()) return out;
  const auto last = out.find_last_not_of(" \t\r\n");
  if (last != std::string::npos && out[last] == ',') out.resize(last);
  return out + std::string(closing.rbegin(), closing.rend());
}

void print_to(const Json& json, int indent, std::string& out) {
  const char* separator = indent >= 0 ? ",\n" : ", ";
  const auto open = [&](char bracket) {
    out += bracket;
    if (indent >= 0) out += '\n';
  };
  const auto close = [&](char bracket) {
    if (indent >= 0) out += '\n';
    out += bracket;
  };
  if (json.is_object() && !json.empty()) {
    open('{');
    bool first = true;
    for (const auto& [key, item] : json.items()) {
      if (!first) out += separator;
      first = false;
      out += Json(key).dump(-1, ' ', true) + ": ";
      print_to(item, indent, out);
    }
    close('}');
  } else if (json.is_array() && !json.empty()) {
    open('[');
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (i > 0) out += separator;
      print_to(json[i], indent, out);
    }
    close(']');
  } else if (json.is_string() && json.get_ref<const std::string&>().starts_with(mark)) {
    out += json.get_ref<const std::string&>().substr(1);
  } else {
    out += json.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  auto json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) return json;
  const auto strict = made_strict(text);
  try {
    return Json::parse(strict);
  } catch (const nlohmann::json::exception& error) {
    return fail("E-FORMAT", std::string("not JSON: ") + error.what());
  }
}

Result<Json> parse_whole_json(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const auto before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto start = before.rfind('\n');
    const auto column = 1 + before.size() - (start == std::string_view::npos ? 0 : start + 1);
    const std::string what = error.what();
    const auto reason = what.find(": ");
    return fail("E-JSON", "not JSON at " + std::to_string(line) + ":" + std::to_string(column) + ": " +
                              (reason == std::string::npos ? what : what.substr(reason + 2)));
  }
}

std::string print_json(const Json& json, int indent) {
  std::string out;
  print_to(json, indent, out);
  return out;
}

Result<Value> value_of(const Json& json) {
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > 0x7fffffffffffffffULL) return Value(json.get<double>());
  if (json.is_number_integer()) return Value(json.get<std::int64_t>());
  if (json.is_number_float()) return Value(json.get<double>());
  if (json.is_string()) return Value(json.get<std::string>());
  return fail("E-FORMAT", "a parameter's value cannot be " + json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

Json json_of(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

bool is_finite_number(const Json& json) { return json.is_number() && std::isfinite(json.get<double>()); }

}  // namespace hone::search
