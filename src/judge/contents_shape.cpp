#include "judge/contents_shape.hpp"

#include <cmath>
#include <functional>
#include <optional>

#include "core/language.hpp"
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
std::optional<Generator> restructured(const Generator& g, ScalarKind) {
  if (g.kind == Kind::Spd) return Generator{Kind::Dominant, g.a, 0};
  if (g.kind == Kind::Index || g.kind == Kind::Permutation) return Generator{Kind::Const, 0, 0};
  return std::nullopt;
}

/// Both signs and a wider range for whole numbers that are not declared as indices.
std::optional<Generator> wider(const Generator& g, ScalarKind kind) {
  if (kind == ScalarKind::Float || !is_range(g)) return std::nullopt;
  const double most = std::max(std::abs(g.a), std::abs(g.b)) * 3 + 1;
  return Generator{Kind::UniformInt, kind == ScalarKind::Signed ? -most : 0, most};
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
                             {"wider", wider, true}};
  std::vector<ContentsShape> out;
  for (const auto& row : rows) {
    ContentsShape shape{row.name, {}, row.checks_definedness};
    for (const auto& buffer : mep.buffers) {
      const auto type = element_type(buffer.type);
      const auto declared = inputs::parse_generator(buffer.fill);
      if (!type || !declared) continue;
      const auto changed = row.change(*declared, type->kind);
      if (changed && !(*changed == *declared)) shape.fills[buffer.name] = inputs::print(*changed);
    }
    if (!shape.fills.empty()) out.push_back(std::move(shape));
  }
  return out;
}

void fill_as(const ContentsShape& shape, Problem& problem) {
  for (auto& buffer : problem.buffers) {
    const auto found = shape.fills.find(buffer.name);
    if (found != shape.fills.end() && buffer.contents.empty()) buffer.fill = found->second;
  }
}

}  // namespace hone::judge
