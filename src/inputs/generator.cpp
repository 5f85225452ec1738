#include "inputs/generator.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/text.hpp"
#include "inputs/half.hpp"

namespace hone::inputs {
namespace {

using Kind = Generator::Kind;

struct Form {
  std::string_view name;
  Kind kind;
  std::size_t least, most;  // arguments
};
constexpr std::array kForms = {Form{"zero", Kind::Zero, 0, 0},
                               Form{"const", Kind::Const, 1, 1},
                               Form{"ramp", Kind::Ramp, 0, 2},
                               Form{"uniform", Kind::Uniform, 2, 2},
                               Form{"uniform_int", Kind::UniformInt, 2, 2},
                               Form{"index", Kind::Index, 1, 1},
                               Form{"permutation", Kind::Permutation, 1, 1},
                               Form{"spd", Kind::Spd, 1, 1},
                               Form{"dominant", Kind::Dominant, 1, 1},
                               Form{"sparse", Kind::Sparse, 2, 2},
                               Form{"offsets", Kind::Offsets, 2, 2}};

std::optional<double> number(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The finaliser of SplitMix64: a bijection of 64 bits in which every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}
constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t index) {
  return mix(mix(seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL) + index * 0x9E3779B97F4A7C15ULL);
}
/// In [0,1), a multiple of 2^-53: exact in double.
double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1p-53; }

/// A number in [0,n) of 64 random bits, by the high half of the product: no division.
std::uint64_t below(std::uint64_t bits, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64U);
}
std::int64_t whole_between(std::uint64_t bits, double a, double b) {
  const auto low = static_cast<std::int64_t>(std::ceil(a));
  const auto high = static_cast<std::int64_t>(std::floor(b));
  if (high <= low) return low;
  return low + static_cast<std::int64_t>(below(bits, static_cast<std::uint64_t>(high - low) + 1));
}

/// A permutation of [0,n) without memory: a bijection of the next power of two, walked until it lands below n.
std::uint64_t permuted(std::uint64_t seed, std::uint64_t i, std::uint64_t n) {
  unsigned bits = 1;
  while ((std::uint64_t{1} << bits) < n) ++bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  do {
    for (unsigned round = 0; round < 4; ++round) {
      const std::uint64_t key = draw(seed, round);
      i = (i * (key | 1U) + (key >> 32U)) & mask;
      i ^= i >> ((bits + 1) / 2);
    }
  } while (i >= n);
  return i;
}

double dominant(std::uint64_t seed, std::uint64_t index, std::uint64_t n, bool symmetric) {
  const std::uint64_t i = index / n % n, j = index % n;
  const double off = unit(draw(seed, symmetric ? std::min(i, j) * n + std::max(i, j) : i * n + j));
  return i == j ? static_cast<double>(n) + off : off;
}

/// Where part i of `parts` begins in [0,total]: never before its predecessor, most parts of any length up to twice the
/// mean. Of each fourth four in a row three are empty and the last has what would have been theirs.
std::uint64_t offset(std::uint64_t seed, std::uint64_t i, std::uint64_t total, std::uint64_t parts) {
  if (i >= parts) return total;
  if (draw(~seed, i / 4) % 4 == 0) i = i / 4 * 4;
  if (i == 0) return 0;
  const double at = (static_cast<double>(i) - unit(draw(seed, i))) / static_cast<double>(parts);
  return static_cast<std::uint64_t>(at * static_cast<double>(total));
}

/// One element as a number. Whole numbers stay whole: 64-bit ones are not squeezed through a double.
struct Number {
  bool whole = false;
  std::int64_t integer = 0;
  double real = 0;
};
Number whole(std::uint64_t value) { return {.whole = true, .integer = static_cast<std::int64_t>(value), .real = 0}; }
Number real(double value) { return {.whole = false, .integer = 0, .real = value}; }

Number element(const Generator& g, ScalarKind kind, std::uint64_t seed, std::uint64_t i) {
  switch (g.kind) {
    case Kind::Zero: return whole(0);
    case Kind::Const: return real(g.a);
    case Kind::Ramp: return real(g.a + g.b * static_cast<double>(i));
    case Kind::Uniform:
      if (kind == ScalarKind::Float) return real(g.a + (g.b - g.a) * unit(draw(seed, i)));
      return whole(static_cast<std::uint64_t>(whole_between(draw(seed, i), g.a, g.b)));
    case Kind::UniformInt: return whole(static_cast<std::uint64_t>(whole_between(draw(seed, i), g.a, g.b)));
    case Kind::Index: return whole(below(draw(seed, i), static_cast<std::uint64_t>(g.a)));
    case Kind::Permutation: {
      const auto n = static_cast<std::uint64_t>(g.a);
      return whole(permuted(seed + i / n, i % n, n));
    }
    case Kind::Spd: return real(dominant(seed, i, static_cast<std::uint64_t>(g.a), true));
    case Kind::Dominant: return real(dominant(seed, i, static_cast<std::uint64_t>(g.a), false));
    case Kind::Offsets: return whole(offset(seed, i, static_cast<std::uint64_t>(g.a), static_cast<std::uint64_t>(g.b)));
    case Kind::Sparse:
      if (draw(~seed, i) % 4 != 0) return whole(0);
      return element({Kind::Uniform, g.a, g.b}, kind, seed, i);
  }
  return {};
}

/// Reals beyond the range of an integer type are cut to its ends; whole numbers wrap, as a kernel's conversion does.
std::int64_t as_integer(const Number& value, ScalarKind kind) {
  if (value.whole) return value.integer;
  if (kind == ScalarKind::Unsigned && value.real >= 0x1p63)
    return static_cast<std::int64_t>(value.real < 0x1p64 ? static_cast<std::uint64_t>(value.real) : ~std::uint64_t{0});
  if (value.real >= 0x1p63) return INT64_MAX;
  if (value.real <= -0x1p63) return INT64_MIN;
  return static_cast<std::int64_t>(value.real);
}

template <class T>
void put(T value, std::uint8_t* at) {
  std::memcpy(at, &value, sizeof value);
}

void store(const Number& value, const ElementType& type, std::uint8_t* at) {
  if (type.kind == ScalarKind::Float) {
    const double number = value.whole ? static_cast<double>(value.integer) : value.real;
    if (type.scalar_bytes == 2) return put(half_from(number), at);
    if (type.scalar_bytes == 4) return put(static_cast<float>(number), at);
    return put(number, at);
  }
  const auto bits = static_cast<std::uint64_t>(as_integer(value, type.kind));
  if (type.scalar_bytes == 1) return put(static_cast<std::uint8_t>(bits), at);
  if (type.scalar_bytes == 2) return put(static_cast<std::uint16_t>(bits), at);
  if (type.scalar_bytes == 4) return put(static_cast<std::uint32_t>(bits), at);
  put(bits, at);
}

}  // namespace

Result<Generator> parse_generator(std::string_view text) {
  const std::string_view all = trim(text);
  const auto open = all.find('(');
  const std::string name(trim(all.substr(0, open)));
  std::vector<double> arguments;
  bool readable = open == std::string_view::npos || all.back() == ')';
  if (readable && open != std::string_view::npos) {
    const auto inside = all.substr(open + 1, all.size() - open - 2);
    for (const auto& part : split(inside, ',')) {
      const auto value = number(part);
      readable = readable && value.has_value();
      arguments.push_back(value.value_or(0));
    }
  }
  std::vector<std::string> names;
  for (const auto& form : kForms) {
    names.emplace_back(form.name);
    if (form.name != name) continue;
    const bool counted = arguments.size() >= form.least && arguments.size() <= form.most;
    Generator g{form.kind, 0, 0};
    if (!arguments.empty()) g.a = arguments[0];
    if (arguments.size() > 1) g.b = arguments[1];
    if (form.kind == Kind::Ramp && arguments.size() < 2) g.b = 1;
    const bool needs_count = form.kind == Kind::Index || form.kind == Kind::Permutation || form.kind == Kind::Spd ||
                             form.kind == Kind::Dominant;
    const bool of_offsets = form.kind != Kind::Offsets || (g.a >= 0 && g.a <= 0x1p53 && g.a == std::floor(g.a) &&
                                                           g.b >= 1 && g.b <= 0x1p53 && g.b == std::floor(g.b));
    const bool needs_range = form.kind == Kind::UniformInt || form.kind == Kind::Uniform || form.kind == Kind::Sparse;
    const bool sensible = of_offsets && (!needs_count || (g.a >= 1 && g.a <= 0x1p53 && g.a == std::floor(g.a))) &&
                          (!needs_range || (g.a <= g.b && std::fabs(g.a) <= 0x1p62 && std::fabs(g.b) <= 0x1p62));
    if (!readable || !counted || !sensible)
      return fail("E-FILL", fmt::format("fill \"{}\" does not have the arguments of {}", text, name));
    return g;
  }
  const auto meant = nearest(name, names);
  return fail("E-FILL", fmt::format("fill \"{}\" is not known; {}", text,
                                    meant ? "did you mean " + *meant + "?" : "known: " + join(names, ", ")));
}

std::string print(const Generator& g) {
  switch (g.kind) {
    case Kind::Zero: return "zero";
    case Kind::Const: return fmt::format("const({})", g.a);
    case Kind::Ramp: return g.a == 0 && g.b == 1 ? "ramp" : fmt::format("ramp({},{})", g.a, g.b);
    case Kind::Uniform: return fmt::format("uniform({},{})", g.a, g.b);
    case Kind::UniformInt: return fmt::format("uniform_int({},{})", g.a, g.b);
    case Kind::Index: return fmt::format("index({})", g.a);
    case Kind::Permutation: return fmt::format("permutation({})", g.a);
    case Kind::Spd: return fmt::format("spd({})", g.a);
    case Kind::Dominant: return fmt::format("dominant({})", g.a);
    case Kind::Offsets: return fmt::format("offsets({},{})", g.a, g.b);
    case Kind::Sparse: return fmt::format("sparse({},{})", g.a, g.b);
  }
  return {};
}

/// The commonest fill by far, without deciding anything for each element: the same values as element() and store().
template <class Real>
static void fill_uniform(const Generator& g, std::uint64_t seed, std::uint64_t first, std::span<std::uint8_t> out) {
  const std::uint64_t begin = mix(seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL);
  const double width = g.b - g.a;
  for (std::size_t i = 0; i < out.size() / sizeof(Real); ++i) {
    const auto value = static_cast<Real>(g.a + width * unit(mix(begin + (first + i) * 0x9E3779B97F4A7C15ULL)));
    std::memcpy(out.data() + i * sizeof(Real), &value, sizeof value);
  }
}

void fill(const Generator& generator, const ElementType& type, std::uint64_t seed, std::uint64_t first,
          std::span<std::uint8_t> out) {
  if (generator.kind == Kind::Zero) {
    std::memset(out.data(), 0, out.size());
    return;
  }
  // The padding lane of a three-lane vector is filled like the others: kernels never read it.
  const std::size_t lanes = type.bytes() / type.scalar_bytes;
  const std::size_t scalars = out.size() / type.scalar_bytes;
  if (generator.kind == Kind::Uniform && type.kind == ScalarKind::Float) {
    if (type.scalar_bytes == 4) return fill_uniform<float>(generator, seed, first * lanes, out);
    if (type.scalar_bytes == 8) return fill_uniform<double>(generator, seed, first * lanes, out);
  }
  for (std::size_t i = 0; i < scalars; ++i)
    store(element(generator, type.kind, seed, first * lanes + i), type, out.data() + i * type.scalar_bytes);
}

}  // namespace hone::inputs
