#include "core/fills.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.hpp"
#include "core/layout.hpp"

namespace hone {
namespace {

/// At commas outside of brackets.
std::vector<std::string> arguments_of(std::string_view inside) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    const char c = i < inside.size() ? inside[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (i < inside.size() && (c != ',' || depth > 0)) continue;
    out.emplace_back(trim(inside.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

bool is_number(std::string_view text) {
  double unused = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), unused);
  return code == std::errc() && end == text.data() + text.size();
}

std::string usual_fill(const ElementType& type) {
  if (type.kind == ScalarKind::Float) return "uniform(0.5,1.5)";
  return type.kind == ScalarKind::Signed ? "uniform_int(-8,8)" : "uniform_int(0,15)";
}

}  // namespace

Result<std::string> concrete_fill(const std::string& fill, const Expression::Environment& names) {
  const auto open = fill.find('(');
  if (open == std::string::npos || !fill.ends_with(')')) return fill;
  std::vector<std::string> numbers;
  for (const auto& argument : arguments_of(std::string_view(fill).substr(open + 1, fill.size() - open - 2))) {
    if (is_number(argument)) {
      numbers.push_back(argument);
      continue;
    }
    const auto expression = Expression::parse(argument);
    const auto value = expression ? expression->evaluate_real(names) : Result<double>(fail(expression.error()));
    if (!value) return fail("E-FILL", "fill \"" + fill + "\": " + value.error().message());
    numbers.push_back(fmt::format("{}", *value));
  }
  return fill.substr(0, open) + "(" + join(numbers, ",") + ")";
}

std::string field_pattern(const std::string& path) {
  std::string out;
  bool inside = false;
  for (const char c : path) {
    inside = (inside || c == '[') && c != ']';
    if (!inside && c != ']') out += c;
  }
  return out;
}

Result<std::string> record_fill(const std::string& fill, const std::string& type,
                                const std::vector<StructSpec>& structs, const Expression::Environment& names) {
  const auto layout = layout_of(type, structs);
  const auto fields = layout ? flat_fields(type, structs) : Result<std::vector<FlatField>>(fail(layout.error()));
  if (!fields) return fail(fields.error());
  std::map<std::string, std::string> given;
  std::string all;  // one generator for every field
  for (const auto& part : split(fill, ';')) {
    const auto colon = part.find(':');
    if (colon == std::string::npos)
      all = std::string(trim(part));
    else
      given[std::string(trim(std::string_view(part).substr(0, colon)))] =
          trim(std::string_view(part).substr(colon + 1));
  }
  std::string out = fmt::format("record({}", layout->bytes);
  std::vector<std::string> known;
  for (const auto& field : *fields) {
    const auto pattern = field_pattern(field.path);
    known.push_back(pattern);
    const auto found = given.find(pattern);
    auto one = concrete_fill(found != given.end() ? found->second
                             : !all.empty()       ? all
                                                  : usual_fill(field.element),
                             names);
    if (!one) return fail(std::move(one).error().context("field " + field.path));
    out += fmt::format("; {} {} {} {}", field.offset, field.element.scalar,
                       field.count * (field.element.bytes() / field.element.scalar_bytes), replace_all(*one, " ", ""));
  }
  for (const auto& [name, unused] : given) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto close = nearest(name, known);
    return fail("E-FILL", "struct " + type + " has no field '" + name + "'" + (close ? "; nearest: " + *close : ""));
  }
  return out + ")";
}

}  // namespace hone
