#include "atoms.h"

#include <algorithm>
#include <cmath>
#include <random>

static double image(double d, double box) { return d - box * std::nearbyint(d / box); }

static double squared(const Atoms& a, int i, int j, double* d) {
  const double box = a.parameters.box;
  d[0] = image(a.x[i] - a.x[j], box);
  d[1] = image(a.y[i] - a.y[j], box);
  d[2] = image(a.z[i] - a.z[j], box);
  return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

Atoms make_atoms(int side) {
  const float spacing = 1.2f, cutoff = 2.5f, reach = 2.8f;  // lists reach a little further than the force
  Atoms a;
  a.parameters.box = side * spacing;
  a.parameters.cutoff_squared = cutoff * cutoff;
  a.parameters.law[0][0] = {1.0f, 1.0f};
  a.parameters.law[0][1] = a.parameters.law[1][0] = {0.9025f, 0.9f};
  a.parameters.law[1][1] = {0.81f, 0.7f};
  std::mt19937 engine(31);
  auto shaken = [&](int site) {
    const float offset = (static_cast<float>(engine() >> 8) / 16777216.0f - 0.5f) * 0.2f;
    return spacing * (static_cast<float>(site) + 0.5f) + offset;
  };
  for (int site = 0; site < side * side * side; site++) {
    if (engine() % 20 == 0) continue;  // a vacancy: atoms differ in their number of neighbours
    a.x.push_back(shaken(site % side));
    a.y.push_back(shaken(site / side % side));
    a.z.push_back(shaken(site / (side * side)));
    a.kind.push_back(engine() % 4 == 0 ? 1 : 0);
  }
  const int n = a.parameters.atoms = static_cast<int>(a.x.size());

  // atoms sorted into columns along x; only adjacent columns can hold neighbours
  const int across = std::max(1, static_cast<int>(a.parameters.box / reach));
  auto strip = [&](float v) { return std::min(across - 1, static_cast<int>(v / a.parameters.box * across)); };
  std::vector<std::vector<int>> columns(static_cast<size_t>(across) * across);
  for (int i = 0; i < n; i++) columns[strip(a.z[i]) * across + strip(a.y[i])].push_back(i);
  const int span = std::min(3, across);
  a.first.push_back(0);
  for (int i = 0; i < n; i++) {
    double d[3];
    for (int step = 0; step < span * span; step++) {
      const int row = (strip(a.z[i]) + step / span + across - 1) % across;
      const int column = (strip(a.y[i]) + step % span + across - 1) % across;
      for (int j : columns[row * across + column])
        if (j != i && squared(a, i, j, d) < reach * reach) a.neighbours.push_back(j);
    }
    a.first.push_back(static_cast<int>(a.neighbours.size()));
  }
  return a;
}

Expected expected_forces(const Atoms& a) {
  const LjParameters& p = a.parameters;
  Expected e;
  for (auto* v : {&e.fx, &e.fy, &e.fz, &e.energy, &e.tolerance}) v->assign(p.atoms, 0.0);
  for (int i = 0; i < p.atoms; i++)
    for (int k = a.first[i]; k < a.first[i + 1]; k++) {
      double d[3];
      const int j = a.neighbours[k];
      const double r2 = squared(a, i, j, d);
      const PairLaw& law = p.law[a.kind[i]][a.kind[j]];
      const double t = law.sigma_squared / r2, t6 = t * t * t;
      const double size = 24.0 * law.epsilon * t6 * (2.0 * t6 + 1.0) / std::sqrt(r2);
      // so close to the cutoff that rounding decides whether the pair counts
      if (std::fabs(r2 - p.cutoff_squared) < 1e-5 * p.cutoff_squared) e.tolerance[i] += size;
      if (r2 >= p.cutoff_squared) continue;
      const double f = 24.0 * law.epsilon * t6 * (2.0 * t6 - 1.0) / r2;
      e.fx[i] += f * d[0];
      e.fy[i] += f * d[1];
      e.fz[i] += f * d[2];
      e.energy[i] += 2.0 * law.epsilon * t6 * (t6 - 1.0);  // each atom has half of a pair
      e.tolerance[i] += 1e-4 * size;
    }
  return e;
}
