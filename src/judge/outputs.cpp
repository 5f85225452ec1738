#include "judge/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "core/layout.hpp"
#include "inputs/generator.hpp"
#include "inputs/half.hpp"

namespace hone::judge {
namespace {

/// An output as scalars of its type.
class Scalars {
 public:
  Scalars(const ElementType& type, const Bytes8& bytes) : type_(type), bytes_(bytes) {}
  std::size_t size() const { return bytes_.size() / type_.scalar_bytes; }
  const std::uint8_t* at(std::size_t i) const { return bytes_.data() + i * type_.scalar_bytes; }
  double value(std::size_t i) const {
    switch (type_.scalar_bytes) {
      case 2: return inputs::half_to(load<std::uint16_t>(i));
      case 4: return load<float>(i);
      default: return load<double>(i);
    }
  }
  double integer(std::size_t i) const {
    const bool is_signed = type_.kind == ScalarKind::Signed;
    switch (type_.scalar_bytes) {
      case 1: return is_signed ? real<std::int8_t>(i) : real<std::uint8_t>(i);
      case 2: return is_signed ? real<std::int16_t>(i) : real<std::uint16_t>(i);
      case 4: return is_signed ? real<std::int32_t>(i) : real<std::uint32_t>(i);
      default: return is_signed ? real<std::int64_t>(i) : real<std::uint64_t>(i);
    }
  }
  bool same_bits(const Scalars& other, std::size_t i) const {
    return std::memcmp(at(i), other.at(i), type_.scalar_bytes) == 0;
  }
  bool poisoned(std::size_t i) const {
    return std::all_of(at(i), at(i) + type_.scalar_bytes, [](std::uint8_t byte) { return byte == inputs::kPoison; });
  }
  bool is_padding(std::size_t i) const { return type_.lanes == 3 && i % 4 == 3; }

 private:
  template <class T>
  T load(std::size_t i) const {
    T value;
    std::memcpy(&value, at(i), sizeof value);
    return value;
  }
  template <class T>
  double real(std::size_t i) const {
    return static_cast<double>(load<T>(i));
  }
  const ElementType& type_;
  const Bytes8& bytes_;
};

ElementType type_named(const std::string& name) {
  return element_type(name).value_or(ElementType{"uchar", ScalarKind::Unsigned, 1, 1});
}

double epsilon_of(const ElementType& type) {
  switch (type.scalar_bytes) {
    case 2: return std::ldexp(1.0, -10);
    case 4: return std::numeric_limits<float>::epsilon();
    default: return std::numeric_limits<double>::epsilon();
  }
}

double relative_of(const ElementType& type) {
  switch (type.scalar_bytes) {
    case 2: return 1e-2;
    case 4: return 1e-4;
    default: return 1e-10;
  }
}

struct Scale {
  double rms = 0;
  /// Where a few huge elements make the RMS, the small ones must still be right: the scale follows the typical element.
  double typical = 0;
};

/// The RMS is that of all elements; the middle one of so many is found among every n-th of them.
Scale scale_of(const Scalars& scalars) {
  constexpr std::size_t kEnough = std::size_t{1} << 16U;
  const std::size_t step = std::max<std::size_t>(scalars.size() / kEnough, 1) | 1U;
  std::vector<double> sizes;
  double squares = 0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const double value = std::abs(scalars.value(i));
    if (!std::isfinite(value) || value == 0 || scalars.poisoned(i) || scalars.is_padding(i)) continue;
    if (counted++ % step == 0) sizes.push_back(value);
    squares += value * value;
  }
  if (sizes.empty()) return {};
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double rms = std::sqrt(squares / static_cast<double>(counted));
  constexpr double kSpread = 16;
  return {rms, std::min(rms, kSpread * *middle)};
}

bool same_kind(double wanted, double got) {
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  if (std::isinf(wanted) || std::isinf(got)) return wanted == got;
  return true;
}

/// Whether all floats of a stretch differ by less than what is allowed at least: most do, and need no second look.
bool all_within(const Bytes8& wanted, const Bytes8& got, std::size_t begin, std::size_t end, float allowed) {
  bool within = true;
  for (std::size_t i = begin; i < end; ++i) {
    float w = 0, g = 0;
    std::memcpy(&w, wanted.data() + i * sizeof w, sizeof w);
    std::memcpy(&g, got.data() + i * sizeof g, sizeof g);
    within &= std::abs(w - g) <= allowed;  // never true of NaN or Inf
  }
  return within;
}

/// Keeps the first difference as evidence and counts the rest.
class Collected {
 public:
  void add(const Difference& difference) {
    if (!first_) first_ = difference;
    ++first_->count;
  }
  std::optional<Difference> take() { return first_; }

 private:
  std::optional<Difference> first_;
};

std::optional<Difference> compare_floats(const ElementType& type, const Bytes8& wanted_bytes, const Bytes8& got_bytes,
                                         const CompareRule& rule) {
  constexpr std::size_t kStretch = 1024;
  const Scalars wanted(type, wanted_bytes), got(type, got_bytes);
  const double relative =
      rule.tolerance.value_or(std::min(rule.relative.value_or(relative_of(type)), relative_of(type)));
  const double typical = rule.typical ? *rule.typical : scale_of(wanted).typical;
  // Poison is never within: it is huge, and where K(0) leaves it, nothing else may stand.
  const auto at_least = static_cast<float>(std::min(relative * typical, 1e20));
  Collected differences;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i % kStretch == 0 && type.scalar_bytes == 4 && i + kStretch <= wanted.size() &&
        all_within(wanted_bytes, got_bytes, i, i + kStretch, at_least)) {
      i += kStretch - 1;
      continue;
    }
    if (wanted.same_bits(got, i) || wanted.is_padding(i)) continue;
    const double w = wanted.value(i);
    const double g = got.value(i);
    if (rule.nan_is_wildcard && !std::isfinite(g)) continue;
    if (!same_kind(w, g)) {
      differences.add({i, w, g, true, 0, false});
      continue;
    }
    if (!std::isfinite(w)) continue;
    const double allowed = std::max(relative * std::max(std::abs(w), typical), rule.absolute);
    if (std::abs(w - g) > allowed || wanted.poisoned(i)) differences.add({i, w, g, false, 0, got.poisoned(i)});
  }
  return differences.take();
}

std::optional<Difference> compare_integers(const Scalars& wanted, const Scalars& got) {
  Collected differences;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted.same_bits(got, i) || wanted.is_padding(i)) continue;
    differences.add({i, wanted.integer(i), got.integer(i), false, 0, got.poisoned(i)});
  }
  return differences.take();
}

/// The integers that a normalised channel of an image is stored as; nothing for other types.
std::optional<ElementType> normalised(const std::string& name) {
  if (name == "unorm_int8") return type_named("uchar");
  if (name == "unorm_int16") return type_named("ushort");
  if (name == "snorm_int8") return type_named("char");
  if (name == "snorm_int16") return type_named("short");
  return std::nullopt;
}

/// A real number that lies between two steps is rounded to either by its last bit: a few may be one step apart.
std::optional<Difference> compare_steps(const Scalars& wanted, const Scalars& got) {
  constexpr std::size_t kOneInSoMany = 500;
  Collected far, near;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted.same_bits(got, i)) continue;
    const double w = wanted.integer(i), g = got.integer(i);
    (std::abs(w - g) > 1 ? far : near).add({i, w, g, false, 0, got.poisoned(i)});
  }
  if (auto difference = far.take()) return difference;
  const auto difference = near.take();
  return difference && difference->count > 1 + wanted.size() / kOneInSoMany ? difference : std::nullopt;
}

}  // namespace

std::optional<Difference> compare_output(const std::string& type_name, const Bytes8& wanted, const Bytes8& got,
                                         const CompareRule& rule) {
  if (wanted.size() != got.size()) return Difference{std::min(wanted.size(), got.size()), 0, 0, false, 1, false};
  if (wanted == got) return std::nullopt;
  if (const auto steps = normalised(type_name)) return compare_steps({*steps, wanted}, {*steps, got});
  const auto type = type_named(type_name);
  if (type.kind != ScalarKind::Float) return compare_integers({type, wanted}, {type, got});
  return compare_floats(type, wanted, got, rule);
}

double typical_size(const std::string& type_name, const Bytes8& output) {
  const auto type = type_named(type_name);
  return type.kind == ScalarKind::Float ? scale_of({type, output}).typical : 0;
}

double largest_difference(const std::string& type_name, const Bytes8& a, const Bytes8& b) {
  const auto type = type_named(type_name);
  if (a == b) return 0;
  if (type.kind != ScalarKind::Float || a.size() != b.size()) return std::numeric_limits<double>::infinity();
  const Scalars left(type, a);
  const Scalars right(type, b);
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left.same_bits(right, i) || left.is_padding(i)) continue;
    const double difference = std::abs(left.value(i) - right.value(i));
    if (std::isfinite(difference)) largest = std::max(largest, difference);
  }
  return largest;
}

/// Two errors of an output against the exact one: as a whole, and at its worst element.
struct Errors {
  double rms = 0, largest = 0;
  std::size_t worst = 0;
};
static Errors errors_of(const Scalars& exact, const Scalars& got) {
  Errors errors;
  double squares = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double error = std::abs(exact.value(i) - got.value(i));
    if (exact.is_padding(i) || exact.poisoned(i) || !std::isfinite(error)) continue;
    squares += error * error;
    ++count;
    if (error <= errors.largest) continue;
    errors.largest = error;
    errors.worst = i;
  }
  if (count > 0) errors.rms = std::sqrt(squares / static_cast<double>(count));
  return errors;
}

OwnErrors own_errors(const std::string& type_name, const Bytes8& reference, const Bytes8& original) {
  const auto type = type_named(type_name);
  if (type.kind != ScalarKind::Float || reference.size() != original.size()) return {};
  const Scalars exact(type, reference);
  const auto errors = errors_of(exact, {type, original});
  return {errors.rms, errors.largest, scale_of(exact).rms};
}

std::optional<Difference> compare_precision(const std::string& type_name, const Bytes8& reference, const OwnErrors& own,
                                            const Bytes8& got) {
  const auto type = type_named(type_name);
  if (type.kind != ScalarKind::Float || reference.size() != got.size()) return std::nullopt;
  const Scalars exact(type, reference);
  const Scalars candidate(type, got);
  const auto errors = errors_of(exact, candidate);
  const double ulps = 4 * epsilon_of(type) * own.size;
  // The worst element of a legal reordering may be some times worse than K(0)'s worst; many times worse is another
  // method.
  constexpr double kLuck = 4;
  const double worst = std::max(kLuck * ulps, kLuck * epsilon_of(type) * std::abs(exact.value(errors.worst)));
  const bool as_a_whole = errors.rms > std::max(2 * own.rms, ulps);
  const bool somewhere = errors.largest > std::max(2 * kLuck * own.largest, worst);
  if (!as_a_whole && !somewhere) return std::nullopt;
  return Difference{errors.worst, exact.value(errors.worst), candidate.value(errors.worst), false, 1, false};
}

bool is_finite(const std::string& type_name, const Bytes8& output) {
  const auto type = type_named(type_name);
  if (type.kind != ScalarKind::Float) return true;
  const Scalars scalars(type, output);
  for (std::size_t i = 0; i < scalars.size(); ++i)
    if (!scalars.is_padding(i) && !std::isfinite(scalars.value(i))) return false;
  return true;
}

bool is_flat(const std::string& type_name, const Bytes8& output) {
  const auto bytes = type_named(type_name).scalar_bytes;
  if (output.size() < 2 * bytes) return false;
  return std::equal(output.begin() + static_cast<std::ptrdiff_t>(bytes), output.end(), output.begin());
}

Bytes8 sorted_elements(const std::string& type, const std::vector<StructSpec>& structs, const Bytes8& output) {
  const auto layout = layout_of(type, structs);
  const std::size_t size = layout ? layout->bytes : 1;
  const auto scalar = element_type(type);
  std::vector<std::size_t> places(size == 0 ? 0 : output.size() / size);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  // Reals by value, so that another rounding of one does not move the others.
  if (scalar && scalar->kind == ScalarKind::Float) {
    const Scalars values(*scalar, output);
    const std::size_t lanes = size / scalar->scalar_bytes;
    std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double x = values.value(a * lanes + lane), y = values.value(b * lanes + lane);
        if (std::isnan(x) || std::isnan(y)) return std::isnan(y) && !std::isnan(x);
        if (x != y) return x < y;
      }
      return false;
    });
  } else {
    std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
      return std::memcmp(output.data() + a * size, output.data() + b * size, size) < 0;
    });
  }
  Bytes8 out;
  out.reserve(output.size());
  for (const auto place : places) {
    const auto begin = output.begin() + static_cast<std::ptrdiff_t>(place * size);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  out.insert(out.end(), output.begin() + static_cast<std::ptrdiff_t>(out.size()), output.end());
  return out;
}

std::vector<FieldView> fields_of(const std::string& type, const std::vector<StructSpec>& structs, const Bytes8& bytes) {
  const auto spec = std::ranges::find(structs, type, &StructSpec::name);
  const auto whole = layout_of(type, structs);
  if (spec == structs.end() || !whole) return {{"", type, bytes}};
  std::vector<FieldView> fields;
  std::size_t offset = 0;
  for (const auto& field : spec->fields) {
    const auto layout = layout_of(field.type, structs);
    if (!layout) return {{"", type, bytes}};
    const auto alignment = spec->packed ? 1 : layout->alignment;
    offset = (offset + alignment - 1) / alignment * alignment;
    const auto size = layout->bytes * field.count;
    FieldView view{field.name, field.type, {}};
    for (std::size_t at = offset; at + size <= bytes.size(); at += whole->bytes) {
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      view.bytes.insert(view.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    offset += size;
    // A struct within a struct is taken apart the same way.
    auto inner = fields_of(field.type, structs, view.bytes);
    for (auto& part : inner) part.name = part.name.empty() ? field.name : field.name + "." + part.name;
    std::ranges::move(inner, std::back_inserter(fields));
  }
  return fields;
}

}  // namespace hone::judge
