#include "core/value.hpp"

#include <charconv>
#include <cmath>

namespace hone {

static std::string print_real(double real) {
  if (std::isinf(real)) return real > 0 ? "1e999" : "-1e999";
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, real).ptr;
  std::string out(buffer, end);
  const bool looks_integral = out.find_first_of(".en") == std::string::npos;
  return looks_integral ? out + ".0" : out;
}

static std::string print_string(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string print(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return print_real(*real);
  return print_string(std::get<std::string>(value));
}

}  // namespace hone
