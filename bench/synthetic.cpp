#include "synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "search/random.hpp"

namespace hone::search {

namespace {

/// One coordinate in [0, 1] and one index for each parameter.
struct At {
  std::vector<double> x;
  std::vector<std::size_t> index;
  std::vector<double> value;
};
/// A time, or nothing where the configuration fails.
using Law = std::function<std::optional<double>(const At&)>;

Parameter integers(const std::string& name, const std::vector<std::int64_t>& values) {
  Parameter parameter{name, {}, Value(values.front())};
  for (const auto value : values) parameter.values.emplace_back(value);
  return parameter;
}

Parameter reals(const std::string& name, int count) {
  Parameter parameter{name, {}, Value(0.0)};
  for (int i = 0; i < count; ++i) parameter.values.emplace_back(static_cast<double>(i) / (count - 1));
  return parameter;
}

Parameter words(const std::string& name, int count) {
  Parameter parameter{name, {}, Value(std::string("a"))};
  for (int i = 0; i < count; ++i) parameter.values.emplace_back(std::string(1, static_cast<char>('a' + i)));
  return parameter;
}

double number(const Value& value, std::size_t index) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return static_cast<double>(index);
}

SyntheticSpace tabulated(const std::string& name, std::vector<Parameter> parameters, const Law& law,
                         const std::function<bool(const At&)>& valid = {}) {
  SyntheticSpace space{name, {}};
  std::vector<std::size_t> index(parameters.size(), 0);
  for (bool more = true; more;) {
    At at{{}, index, {}};
    for (std::size_t p = 0; p < index.size(); ++p) {
      const auto count = parameters[p].values.size();
      at.x.push_back(static_cast<double>(index[p]) / static_cast<double>(std::max<std::size_t>(1, count - 1)));
      at.value.push_back(number(parameters[p].values[index[p]], index[p]));
    }
    if (!valid || valid(at)) {
      CacheEntry entry;
      for (std::size_t p = 0; p < index.size(); ++p) {
        entry.configuration[parameters[p].name] = parameters[p].values[index[p]];
        entry.key += (p > 0 ? "," : "") + std::to_string(index[p]);
      }
      const auto time = law(at);
      entry.outcome = time ? Outcome::measured(*time) : Outcome::failed();
      entry.seconds = 1 + (time ? 0.1 * *time : 0);
      space.cache.entries.push_back(std::move(entry));
    }
    std::size_t p = 0;
    while (p < index.size() && ++index[p] == parameters[p].values.size()) index[p++] = 0;
    more = p < index.size();
  }
  space.cache.parameters = std::move(parameters);
  return space;
}

std::vector<Parameter> tiles() {
  return {integers("bx", {16, 32, 64, 128, 256}), integers("by", {1, 2, 4, 8, 16}), integers("tx", {1, 2, 3, 4, 5, 6}),
          integers("ty", {1, 2, 3, 4, 5, 6}),     integers("unroll", {1, 2, 4, 8}), integers("shared", {0, 1})};
}

/// Fixed draws for every (row, column): tables of random effects.
double effect(std::uint64_t seed, std::size_t row, std::size_t column) {
  return Random(seed * 1000003 + row * 10007 + column * 101).normal();
}

double hashed(std::uint64_t seed, const At& at) {
  std::uint64_t key = seed;
  for (const auto i : at.index) key = Random(key * 31 + i).next();
  return Random(key).normal();
}

double additive(std::uint64_t seed, const At& at, double size) {
  double sum = 0;
  for (std::size_t p = 0; p < at.index.size(); ++p) sum += size * effect(seed, p, at.index[p]);
  return sum;
}

double interacting(std::uint64_t seed, const At& at, double size) {
  double sum = 0;
  for (std::size_t p = 0; p < at.index.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      sum += size * effect(seed + 77 * (p * 16 + q), at.index[p], at.index[q]);
    }
  }
  return sum;
}

double bowl(std::uint64_t seed, const At& at) {
  double sum = 0;
  for (std::size_t p = 0; p < at.x.size(); ++p) {
    const double center = Random(seed + p).real();
    sum += (at.x[p] - center) * (at.x[p] - center) * (0.5 + 3 * Random(seed + 100 + p).real());
  }
  return sum;
}

/// A tiled kernel on a device: traffic falls with tiles, registers and local memory limit how many groups are resident,
/// too many registers spill, and a launch needs enough groups to fill the device.
std::optional<double> tiled_kernel(std::uint64_t seed, const At& at) {
  Random draw(seed);
  const double warp = draw.real() < 0.5 ? 32 : 64, units = 20 + 100 * draw.real(), base = 16 + 24 * draw.real();
  const double each = 1 + 3 * draw.real(), intensity = 0.2 + 3 * draw.real(), halo = 8 * draw.real();
  const double slow_local = 0.7 + 0.8 * draw.real(), local_limit = draw.real() < 0.5 ? 48 : 64;
  const double bx = at.value[0], by = at.value[1], tx = at.value[2], ty = at.value[3], unroll = at.value[4];
  const bool local = at.value[5] > 0;
  const double threads = bx * by, work = tx * ty;
  if (threads > 1024) return std::nullopt;
  const double registers = base + each * work + 2 * unroll;
  if (registers * threads > 65536 * 1.5) return std::nullopt;
  const double spill = registers > 128 ? 1 + (registers - 128) / 64 : 1;
  const double tile_x = bx * tx, tile_y = by * ty, local_kb = local ? (tile_x + halo) * (tile_y + halo) * 4 / 1024 : 0;
  if (local_kb > local_limit) return std::nullopt;
  double groups = std::min({std::floor(2048 / threads), std::floor(65536 / (registers * threads)), 32.0});
  if (local) groups = std::min(groups, std::floor(2 * local_limit / std::max(local_kb, 0.5)));
  if (groups < 1) groups = 0.5;
  const double resident = std::min(1.0, groups * std::ceil(threads / warp) * warp / 2048);
  const double waste = std::ceil(threads / warp) * warp / threads;
  const double reuse = (tile_x + halo) * (tile_y + halo) / (tile_x * tile_y);
  const double traffic = local ? reuse * slow_local : reuse * (1 + 0.5 / work);
  const double coalesced = bx * 4 < 128 ? 128 / (bx * 4) * 0.7 : 1;
  const double memory = traffic * coalesced / std::min(1.0, 0.25 + resident * (1 + 0.15 * work));
  const double compute =
      intensity * spill * waste * (1 + 0.6 / unroll) / std::min(1.0, 0.3 + resident * (1 + 0.1 * work));
  const double waves = std::ceil(4096 * 4096 / (tile_x * tile_y) / (units * groups)) * (units * groups) * tile_x *
                       tile_y / (4096.0 * 4096);
  return std::max(memory, compute) * (0.3 + 0.7 * std::min(4.0, waves)) * std::exp(0.02 * hashed(seed, at));
}

}  // namespace

std::vector<SyntheticSpace> synthetic_spaces(std::uint64_t seed) {
  std::vector<SyntheticSpace> out;
  const auto s = seed;
  const auto small_blocks = [](const At& at) { return at.value[0] * at.value[1] <= 1024; };
  for (std::uint64_t k = 0; k < 4; ++k) {
    out.push_back(tabulated("tiled kernel " + std::to_string(k + 1), tiles(),
                            [=](const At& at) { return tiled_kernel(s * 10 + k, at); }));
  }
  out.push_back(
      tabulated("additive", tiles(), [=](const At& at) { return std::exp(additive(s, at, 0.4)); }, small_blocks));
  out.push_back(tabulated(
      "interacting", tiles(), [=](const At& at) { return std::exp(additive(s, at, 0.2) + interacting(s, at, 0.2)); },
      small_blocks));
  out.push_back(tabulated(
      "rugged", tiles(), [=](const At& at) { return std::exp(2 * bowl(s, at) + 0.3 * hashed(s, at)); }, small_blocks));
  out.push_back(tabulated("plateaus", tiles(), [=](const At& at) {
    // Three parameters do nothing, the others act in steps.
    const double level =
        std::floor(3 * at.x[0]) + std::floor(2.5 * std::abs(at.x[3] - 0.8)) + (at.index[4] == 2 ? 0 : 1);
    return 1 + level * level * 0.3 + 0.002 * hashed(s, at);
  }));
  out.push_back(tabulated("half fail in a block", tiles(), [=](const At& at) -> std::optional<double> {
    if (at.x[0] + at.x[3] + 0.5 * at.x[2] > 1.25) return std::nullopt;
    return std::exp(-1.5 * at.x[0] - at.x[3] + 0.5 * bowl(s, at));  // the best points are at the wall
  }));
  out.push_back(tabulated("most fail", tiles(), [=](const At& at) -> std::optional<double> {
    if (at.index[2] % 3 != 1 || at.index[3] > 2 || at.x[0] * at.x[1] > 0.5) return std::nullopt;
    return std::exp(2 * bowl(s + 5, at) + 0.05 * hashed(s, at));
  }));
  out.push_back(tabulated("30% fail anywhere", tiles(), [=](const At& at) -> std::optional<double> {
    if (std::abs(hashed(s + 9, at)) > 1.04) return std::nullopt;
    return std::exp(2 * bowl(s + 6, at));
  }));
  out.push_back(tabulated("corner", tiles(), [=](const At& at) {
    double away = 0;
    for (std::size_t p = 0; p < at.x.size(); ++p) away += std::abs(at.x[p] - (p % 2 == 0 ? 1 : 0));
    return 1 + std::sqrt(away) + 0.02 * hashed(s, at) * hashed(s, at);
  }));
  out.push_back(tabulated("curved valley", {reals("a", 24), reals("b", 24), reals("c", 24)}, [=](const At& at) {
    const double bend = at.x[1] - at.x[0] * at.x[0], turn = at.x[2] - at.x[1] * at.x[1];
    return 0.1 + 10 * bend * bend + 10 * turn * turn + (0.8 - at.x[0]) * (0.8 - at.x[0]);
  }));
  std::vector<Parameter> switches;
  for (int i = 0; i < 13; ++i) switches.push_back(integers("s" + std::to_string(i), {0, 1}));
  out.push_back(tabulated("switches", switches, [=](const At& at) {
    return std::exp(additive(s + 1, at, 0.15) + interacting(s + 1, at, 0.05));
  }));
  out.push_back(
      tabulated("categories", {words("a", 7), words("b", 6), words("c", 8), words("d", 5), integers("n", {1, 2, 4, 8})},
                [=](const At& at) { return std::exp(additive(s + 2, at, 0.3) + interacting(s + 2, at, 0.1)); }));
  out.push_back(tabulated("values in no order",
                          {integers("a", {8, 1, 32, 4, 16, 2}), integers("b", {3, 1, 7, 5, 2}),
                           integers("c", {64, 8, 16, 128}), integers("d", {0, 1}), integers("e", {5, 9, 1, 4, 3})},
                          [=](const At& at) { return std::exp(additive(s + 3, at, 0.4)); }));
  out.push_back(tabulated("tiny", {integers("a", {1, 2, 4, 8}), integers("b", {1, 2, 3}), integers("c", {0, 1})},
                          [=](const At& at) { return std::exp(bowl(s + 4, at) + 0.1 * hashed(s, at)); }));
  out.push_back(tabulated("one needle", tiles(), [=](const At& at) {
    return at.index == std::vector<std::size_t>{3, 1, 4, 2, 1, 0} ? 0.5 : 1 + 0.01 * std::abs(hashed(s, at));
  }));
  return out;
}

}  // namespace hone::search
