#include "system.h"

#include <algorithm>
#include <cmath>

namespace {

unsigned next(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

double wrapped(double d, double box) { return d - box * std::round(d / box); }

double distance2(const System& s, int i, int j) {
  const double dx = wrapped(s.x[i] - s.x[j], s.box), dy = wrapped(s.y[i] - s.y[j], s.box),
               dz = wrapped(s.z[i] - s.z[j], s.box);
  return dx * dx + dy * dy + dz * dz;
}

/// Cells at least as wide as the lists' reach, so that neighbours sit in adjacent cells.
void build_lists(System& s, double reach) {
  const int cells = std::max(1, static_cast<int>(s.box / reach));
  auto cell = [&](float v) { return std::min(cells - 1, static_cast<int>(v / s.box * cells)); };
  std::vector<std::vector<int>> members(static_cast<size_t>(cells) * cells * cells);
  auto at = [&](int cx, int cy, int cz) -> std::vector<int>& {
    return members[(static_cast<size_t>(cz) * cells + cy) * cells + cx];
  };
  for (int i = 0; i < s.atoms; i++) at(cell(s.x[i]), cell(s.y[i]), cell(s.z[i])).push_back(i);
  std::vector<std::vector<int>> near(s.atoms);
  const int span = cells < 3 ? cells : 3;  // with fewer than three cells all are adjacent
  for (int i = 0; i < s.atoms; i++) {
    const int cx = cell(s.x[i]), cy = cell(s.y[i]), cz = cell(s.z[i]);
    for (int dz = 0; dz < span; dz++)
      for (int dy = 0; dy < span; dy++)
        for (int dx = 0; dx < span; dx++)
          for (int j : at((cx + dx + cells - 1) % cells, (cy + dy + cells - 1) % cells, (cz + dz + cells - 1) % cells))
            if (j != i && distance2(s, i, j) < reach * reach) near[i].push_back(j);
    s.slots = std::max(s.slots, static_cast<int>(near[i].size()));
  }
  s.count.resize(s.atoms);
  s.list.assign(static_cast<size_t>(s.slots) * s.atoms, 0);
  for (int i = 0; i < s.atoms; i++) {
    s.count[i] = static_cast<int>(near[i].size());
    for (int k = 0; k < s.count[i]; k++) s.list[static_cast<size_t>(k) * s.atoms + i] = near[i][k];
  }
}

}  // namespace

System make_system(int side, float skin) {
  System s;
  const float spacing = 1.2f;
  s.box = spacing * side;
  s.pairs[0] = {1.0f, 1.0f};
  s.pairs[3] = {0.81f, 0.7f};
  s.pairs[1] = s.pairs[2] = {0.9025f, 0.9f};
  unsigned state = 42;
  auto jitter = [&] { return (static_cast<float>(next(state)) / 16777216.0f - 0.5f) * 0.2f; };
  for (int i = 0; i < side * side * side; i++) {
    if (next(state) % 16 == 0) continue;
    auto place = [&](int site) { return std::fmod(spacing * (site + 0.5f) + jitter() + s.box, s.box); };
    s.x.push_back(place(i % side));
    s.y.push_back(place(i / side % side));
    s.z.push_back(place(i / side / side));
    s.kind.push_back(next(state) % 3 == 0);
    s.atoms++;
  }
  build_lists(s, s.cutoff + skin);
  return s;
}

Forces reference_forces(const System& s) {
  Forces f;
  for (auto* v : {&f.x, &f.y, &f.z, &f.energy, &f.size, &f.slack}) v->assign(s.atoms, 0.0);
  for (int i = 0; i < s.atoms; i++)
    for (int k = 0; k < s.count[i]; k++) {
      const int j = s.list[static_cast<size_t>(k) * s.atoms + i];
      const double r2 = distance2(s, i, j);
      const double cutoff2 = static_cast<double>(s.cutoff) * s.cutoff;
      const Pair& pair = s.pairs[2 * s.kind[i] + s.kind[j]];
      const double s2 = pair.sigma2 / r2, s6 = s2 * s2 * s2;
      const double size = 24.0 * pair.epsilon * s6 * (2.0 * s6 + 1.0) / std::sqrt(r2);
      if (std::fabs(r2 - cutoff2) < 1e-5 * cutoff2) f.slack[i] += size;
      if (r2 >= cutoff2) continue;
      const double strength = 24.0 * pair.epsilon * s6 * (2.0 * s6 - 1.0) / r2;
      f.x[i] += strength * wrapped(s.x[i] - s.x[j], s.box);
      f.y[i] += strength * wrapped(s.y[i] - s.y[j], s.box);
      f.z[i] += strength * wrapped(s.z[i] - s.z[j], s.box);
      f.energy[i] += 2.0 * pair.epsilon * s6 * (s6 - 1.0);  // half of the pair's
      f.size[i] += size;
    }
  return f;
}
