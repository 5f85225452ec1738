#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

struct Distance {
  double d[3];
  double r;
};

Distance distance(const Crystal& crystal, int i, int j) {
  Distance out{};
  const double box = crystal.box;
  double r2 = 0.0;
  for (int k = 0; k < 3; k++) {
    out.d[k] = static_cast<double>(crystal.positions[i][k]) - crystal.positions[j][k];
    out.d[k] -= box * std::round(out.d[k] / box);
    r2 += out.d[k] * out.d[k];
  }
  out.r = std::sqrt(r2);
  return out;
}

}  // namespace

int wrong_atoms(const Crystal& crystal, const NeighbourList& lists, const Potential& potential,
                const StepResult& result) {
  const int atoms = crystal.size();
  std::vector<double> rho(atoms, 0.0);
  for (int i = 0; i < atoms; i++)
    for (int k = lists.start[i]; k < lists.start[i + 1]; k++)
      rho[i] += potential.density(distance(crystal, i, lists.list[k]).r).value;

  int wrong = 0;
  double worst = 0.0;
  for (int i = 0; i < atoms; i++) {
    double sum[4] = {0.0, 0.0, 0.0, potential.embedding(rho[i]).value};
    for (int k = lists.start[i]; k < lists.start[i + 1]; k++) {
      const int j = lists.list[k];
      const Distance at = distance(crystal, i, j);
      const double slope =
          potential.pair(at.r).slope +
          (potential.embedding(rho[i]).slope + potential.embedding(rho[j]).slope) * potential.density(at.r).slope;
      for (int d = 0; d < 3; d++) sum[d] -= slope * at.d[d] / at.r;
      sum[3] += 0.5 * potential.pair(at.r).value;
    }
    // distances are rounded to the box's size, and the repulsion is steep: errors of 1e-4 electronvolts per angstrom
    double error = std::fabs(result.rho[i] - rho[i]) / 10.0;
    for (int d = 0; d < 4; d++) error += std::fabs(result.force[i][d] - sum[d]);
    if (!(error <= 4e-4)) wrong++;
    worst = std::max(worst, error);
  }
  std::printf("largest error %.2e, %d of %d atoms wrong\n", worst, wrong, atoms);
  return wrong;
}
