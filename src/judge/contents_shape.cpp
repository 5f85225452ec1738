#include "judge/contents_shape.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/language.hpp"
#include "core/workload_sizes.hpp"
#include "inputs/generator.hpp"

namespace hone::judge {
namespace {

using inputs::Generator;
using Kind = Generator::Kind;
using Change = std::function<std::optional<Generator>(const Generator&, ScalarKind)>;

bool is_range(const Generator& g) { return g.kind == Kind::Uniform || g.kind == Kind::UniformInt; }

/// Both signs where all had one, one sign where there were both.
std::optional<Generator> other_signs(const Generator& g, ScalarKind kind) {
  if (kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  if (g.a < 0 && g.b > 0) return Generator{g.kind, 0, g.b};
  const double most = std::max(std::abs(g.a), std::abs(g.b));
  return Generator{g.kind, -most, most};
}

std::optional<Generator> scaled(const Generator& g, ScalarKind kind) {
  if (kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  constexpr double kScale = 48;
  return Generator{g.kind, g.a * kScale, g.b * kScale};
}

std::optional<Generator> sparse(const Generator& g, ScalarKind kind) {
  if (kind != ScalarKind::Float || !is_range(g)) return std::nullopt;
  return Generator{Kind::Sparse, g.a, g.b};
}

/// No symmetry, every index the same.
std::optional<Generator> restructured(const Generator& g, ScalarKind kind) {
  if (g.kind == Kind::Spd) return Generator{Kind::Dominant, g.a, 0};
  if (g.kind == Kind::Index || g.kind == Kind::Permutation) return Generator{Kind::Const, 0, 0};
  if (g.kind == Kind::Ramp && kind != ScalarKind::Float) return Generator{Kind::Const, g.a, 0};
  return std::nullopt;
}

/// Numbers that differ where all were one: a weight that is the same everywhere, a sum that starts at zero.
std::optional<Generator> varied(const Generator& g, ScalarKind kind) {
  if (kind != ScalarKind::Float) return std::nullopt;
  if (g.kind == Kind::Zero || (g.kind == Kind::Const && g.a == 0)) return Generator{Kind::Uniform, -1, 1};
  if (g.kind == Kind::Const) return Generator{Kind::Uniform, std::min(g.a / 2, g.a * 2), std::max(g.a / 2, g.a * 2)};
  return std::nullopt;
}

/// Counts that start elsewhere.
std::optional<Generator> counted_on(const Generator& g, ScalarKind kind) {
  if (kind == ScalarKind::Float || (g.kind != Kind::Zero && g.kind != Kind::Const)) return std::nullopt;
  return Generator{Kind::UniformInt, 0, std::abs(g.a) + 7};
}

/// Both signs and a wider range for whole numbers that are not declared as indices.
std::optional<Generator> wider(const Generator& g, ScalarKind kind) {
  if (kind == ScalarKind::Float || !is_range(g)) return std::nullopt;
  const double most = std::max(std::abs(g.a), std::abs(g.b)) * 3 + 1;
  return Generator{Kind::UniformInt, kind == ScalarKind::Signed ? -most : 0, most};
}

Value other_value(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real == 0 ? 0.5 : *real / 2;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole > 0 ? *whole - 1 : std::int64_t{1};
  if (const auto* truth = std::get_if<bool>(&value)) return !*truth;
  return value;
}

/// Scalars that no extent and no launch follows. Whole ones may be offsets or counts.
ContentsShape other_scalars(const Mep& mep, bool whole) {
  ContentsShape out{whole ? "other counts" : "other scalars", {}, whole, {}};
  const auto* tune = find_workload(mep, Role::Tune);
  const auto sizes = size_scalars(mep);
  for (const auto& [name, value] : tune == nullptr ? std::map<std::string, Value>() : tune->scalars) {
    const bool real = std::holds_alternative<double>(value);
    if (real == !whole && std::ranges::find(sizes, name) == sizes.end()) out.scalars.insert(name);
  }
  return out;
}

/// A generator that makes what either makes.
Generator wider_of(const Generator& a, const Generator& b) {
  const auto has_range = [](const Generator& g) { return is_range(g) || g.kind == Kind::Sparse; };
  if (!has_range(a) || !has_range(b)) return b;
  const bool sparse = a.kind == Kind::Sparse || b.kind == Kind::Sparse;
  return {sparse ? Kind::Sparse : b.kind, std::min(a.a, b.a), std::max(a.b, b.b)};
}

}  // namespace

std::vector<ContentsShape> other_contents(const Mep& mep) {
  struct Row {
    const char* name;
    Change change;
    bool checks_definedness;
  };
  static const Row rows[] = {{"other signs", other_signs, false},
                             {"sparse", sparse, false},
                             {"scaled", scaled, false},
                             {"restructured", restructured, false},
                             {"varied", varied, false},
                             {"counted on", counted_on, true},
                             {"wider", wider, true}};
  std::vector<ContentsShape> out;
  for (const auto& row : rows) {
    ContentsShape shape{row.name, {}, row.checks_definedness, {}};
    for (const auto& buffer : mep.buffers) {
      const auto type = element_type(buffer.type);
      const auto declared = inputs::parse_generator(buffer.fill);
      if (!type || !declared) continue;
      const auto changed = row.change(*declared, type->kind);
      if (changed && !(*changed == *declared)) shape.fills[buffer.name] = inputs::print(*changed);
    }
    if (!shape.fills.empty()) out.push_back(std::move(shape));
  }
  for (const bool whole : {false, true})
    if (auto shape = other_scalars(mep, whole); !shape.scalars.empty()) out.push_back(std::move(shape));
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
  }
  return out;
}

void fill_as(const ContentsShape& shape, Problem& problem) {
  for (auto& buffer : problem.buffers) {
    const auto found = shape.fills.find(buffer.name);
    if (found != shape.fills.end() && buffer.contents.empty()) buffer.fill = found->second;
  }
}

Workload with_scalars_of(const ContentsShape& shape, Workload workload) {
  for (const auto& name : shape.scalars)
    if (const auto found = workload.scalars.find(name); found != workload.scalars.end())
      found->second = other_value(found->second);
  return workload;
}

}  // namespace hone::judge
