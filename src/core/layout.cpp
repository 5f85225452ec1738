#include "core/layout.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/text.hpp"

namespace hone {
namespace {

const StructSpec* find_struct(const std::string& name, const std::vector<StructSpec>& structs) {
  const auto found = std::ranges::find(structs, name, &StructSpec::name);
  return found == structs.end() ? nullptr : &*found;
}

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

std::uint16_t half_bits(double value) {
  // Round to nearest even through the exponent and ten bits of fraction; this compiler has no half type in C++.
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  if (std::isnan(value)) return 0x7e00U;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return sign | 0x7c00U;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int scale = std::max(exponent - 1, -14);
  const auto fraction = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - scale)));
  if (fraction < 1024U) return static_cast<std::uint16_t>(sign | fraction);
  return static_cast<std::uint16_t>(sign + (static_cast<std::uint32_t>(scale + 14) << 10U) + fraction);
}

template <class T>
void append(std::vector<std::uint8_t>& out, T value) {
  const auto at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

Result<double> as_real(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1.0 : 0.0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return fail("E-TYPE", "a number is needed, not " + print(value));
}

Result<std::int64_t> as_integer(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return *i;
  const auto* d = std::get_if<double>(&value);
  if (d != nullptr && std::nearbyint(*d) == *d && std::fabs(*d) < 9e18) return static_cast<std::int64_t>(*d);
  return fail("E-TYPE", "an integer is needed, not " + print(value));
}

Status append_scalar(std::vector<std::uint8_t>& out, const Value& value, const ElementType& type) {
  if (type.kind == ScalarKind::Float) {
    const auto real = as_real(value);
    if (!real) return fail(real.error());
    if (type.scalar_bytes == 2) append(out, half_bits(*real));
    if (type.scalar_bytes == 4) append(out, static_cast<float>(*real));
    if (type.scalar_bytes == 8) append(out, *real);
    return {};
  }
  const auto integer = as_integer(value);
  if (!integer) return fail(integer.error());
  const auto bits = static_cast<std::uint64_t>(*integer);
  for (std::size_t i = 0; i < type.scalar_bytes; ++i) out.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  return {};
}

/// The lane a component name stands for: x y z w, or s0..sf.
std::optional<std::size_t> lane_named(const std::string& name) {
  if (name.size() == 1) {
    const auto at = std::string_view("xyzw").find(name[0]);
    if (at != std::string_view::npos) return at;
  }
  if (name.size() == 2 && name[0] == 's') {
    const auto at = std::string_view("0123456789abcdef").find(name[1]);
    if (at != std::string_view::npos) return at;
  }
  return std::nullopt;
}

Result<std::vector<std::uint8_t>> encode_vector(const std::map<std::string, Value>& fields, const ElementType& type) {
  std::vector<Value> lanes(type.lanes, Value(std::int64_t{0}));
  for (const auto& [name, value] : fields) {
    const auto lane = lane_named(name);
    if (!lane || *lane >= type.lanes) return fail("E-TYPE", "'" + name + "' is not a component of this vector");
    lanes[*lane] = value;
  }
  std::vector<std::uint8_t> out;
  for (const auto& lane : lanes)
    if (auto done = append_scalar(out, lane, type); !done) return fail(done.error());
  out.resize(type.bytes());
  return out;
}

/// The scalars of a field that a path names: all of "a", one element of "a[2]", one lane of "a.x".
std::optional<std::pair<std::size_t, std::size_t>> named_lanes(std::string_view path, const FlatField& field) {
  if (!path.starts_with(field.path)) return std::nullopt;
  path.remove_prefix(field.path.size());
  const std::size_t step = field.element.bytes() / field.element.scalar_bytes;
  std::size_t begin = 0, end = field.count * step;
  if (path.starts_with('[')) {
    const auto close = path.find(']');
    std::size_t at = 0;
    if (close == std::string_view::npos ||
        std::from_chars(path.data() + 1, path.data() + close, at).ec != std::errc() || at >= field.count)
      return std::nullopt;
    begin = at * step;
    end = begin + step;
    path.remove_prefix(close + 1);
  }
  if (path.empty()) return std::pair(begin, end);
  const auto lane = path.starts_with('.') ? lane_named(std::string(path.substr(1))) : std::nullopt;
  if (!lane || *lane >= field.element.lanes || end - begin != step) return std::nullopt;
  return std::pair(begin + *lane, begin + *lane + 1);
}

}  // namespace

Result<Layout> layout_of(const std::string& type, const std::vector<StructSpec>& structs) {
  if (const auto element = element_type(type)) return Layout{element->bytes(), element->bytes()};
  const auto* spec = find_struct(type, structs);
  if (spec == nullptr) return fail("E-TYPE", "'" + type + "' is neither a built-in type nor a [[struct]] of this MEP");
  Layout layout;
  for (const auto& field : spec->fields) {
    const auto inner = layout_of(field.type, structs);
    if (!inner) return fail(Error(inner.error()).context("field " + field.name));
    const auto alignment = spec->packed ? 1 : inner->alignment;
    layout.bytes = round_up(layout.bytes, alignment) + inner->bytes * field.count;
    layout.alignment = std::max(layout.alignment, alignment);
  }
  layout.alignment = std::max(layout.alignment, spec->alignment);
  layout.bytes = round_up(layout.bytes, layout.alignment);
  return layout;
}

Result<std::vector<FlatField>> flat_fields(const std::string& type, const std::vector<StructSpec>& structs) {
  if (const auto element = element_type(type)) return std::vector<FlatField>{{"", 0, *element, 1}};
  const auto* spec = find_struct(type, structs);
  if (spec == nullptr) return fail("E-TYPE", "'" + type + "' is neither a built-in type nor a [[struct]] of this MEP");
  std::vector<FlatField> out;
  std::size_t offset = 0;
  for (const auto& field : spec->fields) {
    const auto layout = layout_of(field.type, structs);
    auto inner = layout ? flat_fields(field.type, structs) : Result<std::vector<FlatField>>(fail(layout.error()));
    if (!inner) return fail(Error(inner.error()).context("field " + field.name));
    offset = round_up(offset, spec->packed ? 1 : layout->alignment);
    const bool plain = element_type(field.type).has_value();
    for (std::size_t i = 0; i < (plain ? 1 : field.count); ++i) {
      const auto name = plain || field.count == 1 ? field.name : field.name + "[" + std::to_string(i) + "]";
      for (const auto& part : *inner)
        out.push_back({part.path.empty() ? name : name + "." + part.path, offset + i * layout->bytes + part.offset,
                       part.element, plain ? field.count : part.count});
    }
    offset += layout->bytes * field.count;
  }
  return out;
}

Result<std::vector<std::uint8_t>> encode(const Value& value, const std::string& type) {
  const auto element = element_type(type);
  if (!element) return fail("E-TYPE", "'" + type + "' is not a built-in type");
  std::vector<std::uint8_t> out;
  for (std::size_t lane = 0; lane < element->lanes; ++lane)
    if (auto done = append_scalar(out, value, *element); !done) return fail(done.error());
  out.resize(element->bytes());
  return out;
}

Result<std::vector<std::uint8_t>> encode(const std::map<std::string, Value>& fields, const std::string& type,
                                         const std::vector<StructSpec>& structs) {
  if (const auto element = element_type(type)) return encode_vector(fields, *element);
  const auto whole = layout_of(type, structs);
  if (!whole) return fail(whole.error());
  const auto flat = flat_fields(type, structs);
  if (!flat) return fail(flat.error());
  std::vector<std::uint8_t> out(whole->bytes);
  for (const auto& [path, value] : fields) {
    bool found = false;
    for (const auto& field : *flat) {
      const auto lanes = named_lanes(path, field);
      if (!lanes) continue;
      found = true;
      std::vector<std::uint8_t> bytes;
      if (auto done = append_scalar(bytes, value, field.element); !done)
        return fail(std::move(done).error().context("field " + path));
      for (std::size_t i = lanes->first; i < lanes->second; ++i)
        std::ranges::copy(bytes, out.begin() + static_cast<std::ptrdiff_t>(field.offset + i * bytes.size()));
    }
    if (found) continue;
    std::vector<std::string> known;
    for (const auto& field : *flat) known.push_back(field.path);
    const auto close = nearest(path, known);
    return fail("E-TYPE", "struct " + type + " has no field '" + path + "'" + (close ? "; nearest: " + *close : ""));
  }
  return out;
}

}  // namespace hone
