#include "judge/contents_shape.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "core/fills.hpp"
#include "core/language.hpp"
#include "core/launch_walk.hpp"
#include "core/workload_sizes.hpp"
#include "inputs/generator.hpp"

namespace hone::judge {
namespace {

using inputs::Generator;
using Kind = Generator::Kind;
using Change = std::function<std::optional<Generator>(const Generator&, const ElementType&)>;

bool is_range(const Generator& g) { return g.kind == Kind::Uniform || g.kind == Kind::UniformInt; }

/// Both signs where all had one, one sign where there were both.
std::optional<Generator> other_signs(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  if (g.a < 0 && g.b > 0) return Generator{g.kind, 0, g.b};
  const double most = std::max(std::abs(g.a), std::abs(g.b));
  return Generator{g.kind, -most, most};
}

std::optional<Generator> scaled(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  constexpr double kScale = 48;
  return Generator{g.kind, g.a * kScale, g.b * kScale};
}

/// Where a kernel tells signs apart, what is small on one side is not to be measured by what is large on the other.
std::optional<Generator> scaled_below(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  constexpr double kScale = 48;
  return Generator{g.kind, -kScale * std::max(std::abs(g.a), std::abs(g.b)), 0};
}

std::optional<Generator> sparse(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  return Generator{Kind::Sparse, g.a, g.b};
}

/// A norm of nothing, a quotient by it.
std::optional<Generator> zeros(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  return Generator{Kind::Zero, 0, 0};
}

/// Whole numbers of which most are alike, all of them within what is declared: counters of a few bits overflow, equal
/// neighbours meet, and the zero is among them.
std::optional<Generator> alike(const Generator& g, const ElementType& type) {
  if (type.kind == ScalarKind::Float || !is_range(g)) return std::nullopt;
  if (g.a <= 0 && g.b >= 0) return Generator{Kind::Sparse, g.a, g.b};
  return Generator{Kind::Const, std::floor((g.a + g.b) / 2), 0};
}

/// No symmetry, every index the same, one row that has all there is.
std::optional<Generator> restructured(const Generator& g, const ElementType& type) {
  if (g.kind == Kind::Spd) return Generator{Kind::Dominant, g.a, 0};
  if (g.kind == Kind::Index || g.kind == Kind::Permutation) return Generator{Kind::Const, 0, 0};
  if (g.kind == Kind::Offsets && g.b > 1) return Generator{Kind::Offsets, g.a, 1};
  if (g.kind == Kind::Ramp && type.kind != ScalarKind::Float) return Generator{Kind::Const, g.a, 0};
  return std::nullopt;
}

/// Numbers that differ where all were one: a weight that is the same everywhere, a sum that starts at zero.
std::optional<Generator> varied(const Generator& g, const ElementType& type) {
  if (type.kind != ScalarKind::Float) return std::nullopt;
  if (g.kind == Kind::Zero || (g.kind == Kind::Const && g.a == 0)) return Generator{Kind::Uniform, -1, 1};
  if (g.kind == Kind::Const) return Generator{Kind::Uniform, std::min(g.a / 2, g.a * 2), std::max(g.a / 2, g.a * 2)};
  return std::nullopt;
}

/// Counts that start elsewhere.
std::optional<Generator> counted_on(const Generator& g, const ElementType& type) {
  if (type.kind == ScalarKind::Float || (g.kind != Kind::Zero && g.kind != Kind::Const)) return std::nullopt;
  return Generator{Kind::UniformInt, 0, std::abs(g.a) + 7};
}

/// Both signs and a wider range for whole numbers that are not declared as indices.
std::optional<Generator> wider(const Generator& g, const ElementType& type) {
  if (type.kind == ScalarKind::Float || !is_range(g)) return std::nullopt;
  const double most = std::max(std::abs(g.a), std::abs(g.b)) * 3 + 1;
  return Generator{Kind::UniformInt, type.kind == ScalarKind::Signed ? -most : 0, most};
}

/// Every value of the type: comparisons by another type, bits that are cut off.
std::optional<Generator> whole_range(const Generator& g, const ElementType& type) {
  if (type.kind == ScalarKind::Float || !is_range(g)) return std::nullopt;
  const bool is_signed = type.kind == ScalarKind::Signed;
  const double most =
      std::exp2(std::min<double>(8.0 * static_cast<double>(type.scalar_bytes) - (is_signed ? 1 : 0), 62));
  return Generator{Kind::UniformInt, is_signed ? -most : 0, most < 0x1p62 ? most - 1 : most};
}

/// Large numbers close to each other: what another type of the same width rounds together, or takes for negative.
std::optional<Generator> far_end(const Generator& g, const ElementType& type) {
  auto out = whole_range(g, type);
  if (out) out->a = out->b - 100;
  return out;
}

Value other_value(const Value& value, ScalarChange change) {
  const bool less = change == ScalarChange::Less, none = change == ScalarChange::None;
  if (const auto* real = std::get_if<double>(&value)) {
    if (none) return 0.0;
    if (*real == 0) return less ? 0.5 : -1.5;
    return *real * (less ? 0.5 : -1.5);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    if (none) return std::int64_t{0};
    if (*whole <= 0) return std::int64_t{less ? 1 : 3};
    return less ? *whole - 1 : 2 * *whole + 1;
  }
  if (const auto* truth = std::get_if<bool>(&value)) return !*truth;
  return value;
}

/// Numbers that stand in the launches themselves, one and the same for an argument in all of them.
std::map<std::string, Value> literal_arguments(const Mep& mep) {
  std::map<std::string, Value> out;
  std::set<std::string> changing;
  for (const auto& workload : mep.workloads)
    each_launch(workload.launches, [&](const Launch& launch) {
      const auto* kernel = find_kernel(mep, launch.kernel);
      if (kernel == nullptr) return;
      for (const auto& argument : kernel->arguments) {
        const auto bound = launch.arguments.find(argument.name);
        if (argument.kind != ArgumentSpec::Kind::Scalar || bound == launch.arguments.end()) continue;
        const auto& root = bound->second.value.root();
        const auto key = launch.kernel + "." + argument.name;
        if (root.kind != Expression::Kind::Literal || out.emplace(key, root.value).first->second != root.value)
          changing.insert(key);
      }
    });
  for (const auto& key : changing) out.erase(key);
  return out;
}

/// Scalars that no extent and no launch follows.
std::vector<std::string> free_scalars(const Mep& mep, bool whole) {
  std::vector<std::string> out;
  const auto* tune = find_workload(mep, Role::Tune);
  const auto sizes = size_scalars(mep);
  for (const auto& [name, value] : tune == nullptr ? std::map<std::string, Value>() : tune->scalars) {
    const bool real = std::holds_alternative<double>(value);
    if (real == !whole && std::ranges::find(sizes, name) == sizes.end()) out.push_back(name);
  }
  for (const auto& [name, value] : literal_arguments(mep))
    if (std::holds_alternative<double>(value) == !whole) out.push_back(name);
  return out;
}

void change_literals(const ContentsShape& shape, Workload& workload) {
  each_launch(workload.launches, [&](Launch& launch) {
    for (auto& [name, binding] : launch.arguments)
      if (const auto found = shape.scalars.find(launch.kernel + "." + name); found != shape.scalars.end())
        binding.value = Expression::literal(other_value(binding.value.root().value, found->second));
  });
}

/// All at once and, since a factor may be known only beside another that is, each by itself. Whole ones may be offsets
/// or counts.
std::vector<ContentsShape> other_scalars(const Mep& mep) {
  constexpr std::size_t kMostAlone = 4;
  std::vector<ContentsShape> out;
  const auto reals = free_scalars(mep, false), counts = free_scalars(mep, true);
  const auto add = [&](const std::string& name, const std::vector<std::string>& scalars, ScalarChange change,
                       bool whole) {
    ContentsShape shape{name, {}, whole, {}, whole};
    for (const auto& scalar : scalars) shape.scalars[scalar] = change;
    if (!scalars.empty()) out.push_back(std::move(shape));
  };
  add("other scalars", reals, ScalarChange::Less, false);
  add("other counts", counts, ScalarChange::Less, true);
  add("other scalars of the other sign", reals, ScalarChange::More, false);
  add("scalars of zero", reals, ScalarChange::None, false);
  add("higher counts", counts, ScalarChange::More, true);
  add("counts of zero", counts, ScalarChange::None, true);
  for (std::size_t i = 0; reals.size() > 1 && i < std::min(reals.size(), kMostAlone); ++i)
    add("another " + reals[i], {reals[i]}, ScalarChange::More, false);
  for (std::size_t i = 0; counts.size() > 1 && i < std::min(counts.size(), kMostAlone); ++i)
    add("another " + counts[i], {counts[i]}, ScalarChange::More, true);
  return out;
}

/// A generator that makes what either makes.
Generator wider_of(const Generator& a, const Generator& b) {
  const auto has_range = [](const Generator& g) { return is_range(g) || g.kind == Kind::Sparse; };
  if (!has_range(a)) return b;
  if (!has_range(b)) return a;
  const bool sparse = a.kind == Kind::Sparse || b.kind == Kind::Sparse;
  return {sparse ? Kind::Sparse : b.kind, std::min(a.a, b.a), std::max(a.b, b.b)};
}

}  // namespace

std::vector<ContentsShape> other_contents(const Mep& mep, const Workload& workload) {
  struct Row {
    const char* name;
    Change change;
    bool checks_definedness;
  };
  static const Row rows[] = {{"other signs", other_signs, false},
                             {"sparse", sparse, false},
                             {"scaled", scaled, false},
                             {"scaled and below zero", scaled_below, false},
                             {"restructured", restructured, false},
                             {"varied", varied, false},
                             {"zeros", zeros, false},
                             {"counted on", counted_on, true},
                             {"mostly alike", alike, true},
                             {"wider", wider, true},
                             {"of the whole range", whole_range, true},
                             {"at the end of the range", far_end, true}};
  std::vector<ContentsShape> out;
  for (const auto& row : rows) {
    ContentsShape shape{row.name, {}, row.checks_definedness, {}};
    for (const auto& buffer : mep.buffers) {
      const auto type = element_type(buffer.type);
      const auto fill = concrete_fill(buffer.fill, environment_of(workload.scalars));
      const auto declared = fill ? inputs::parse_generator(*fill) : fail(fill.error());
      if (!type || !declared) continue;
      const auto changed = row.change(*declared, *type);
      if (changed && !(*changed == *declared)) shape.fills[buffer.name] = inputs::print(*changed);
    }
    if (!shape.fills.empty()) out.push_back(std::move(shape));
  }
  std::ranges::move(other_scalars(mep), std::back_inserter(out));
  return out;
}

ContentsShape all_at_once(const std::vector<ContentsShape>& shapes) {
  ContentsShape out;
  out.name = "all of these at once";
  for (const auto& shape : shapes) {
    for (const auto& [buffer, fill] : shape.fills) {
      const auto [known, added] = out.fills.emplace(buffer, fill);
      if (!added)
        known->second = inputs::print(
            wider_of(inputs::parse_generator(known->second).value(), inputs::parse_generator(fill).value()));
    }
    out.scalars.insert(shape.scalars.begin(), shape.scalars.end());
    out.has_room = out.has_room || shape.has_room;
  }
  return out;
}

void fill_as(const ContentsShape& shape, Problem& problem) {
  for (auto& buffer : problem.buffers) {
    const auto found = shape.fills.find(buffer.name);
    if (found != shape.fills.end() && buffer.contents.empty()) buffer.fill = found->second;
    if (shape.has_room && buffer.contents.empty()) buffer.count *= 2;
  }
}

Workload with_scalars_of(const ContentsShape& shape, Workload workload) {
  for (const auto& [name, change] : shape.scalars)
    if (const auto found = workload.scalars.find(name); found != workload.scalars.end())
      found->second = other_value(found->second, change);
  change_literals(shape, workload);
  return workload;
}

}  // namespace hone::judge
