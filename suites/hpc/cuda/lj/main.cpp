// lj [SIDE]: Lennard-Jones forces on about SIDE^3 atoms of two kinds, with neighbour lists.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "forces.cuh"

int main(int argc, char** argv) {
  const int side = argc > 1 ? std::atoi(argv[1]) : 40;
  if (side < 5 || side > 200) {
    std::fprintf(stderr, "usage: lj [SIDE], 5 to 200\n");
    return 2;
  }
  const System system = make_system(side, 0.3f);
  ForceField field(system);
  field.compute();
  const float ms = field.compute();

  const Forces exact = reference_forces(system);
  const std::vector<float4> forces = field.forces();
  int wrong = 0;
  double energy = 0.0, energy_size = 0.0;
  for (int i = 0; i < system.atoms; i++) {
    const double allowed = 1e-4 * exact.size[i] + exact.slack[i];
    wrong += !(std::fabs(forces[i].x - exact.x[i]) <= allowed);
    wrong += !(std::fabs(forces[i].y - exact.y[i]) <= allowed);
    wrong += !(std::fabs(forces[i].z - exact.z[i]) <= allowed);
    wrong += !(std::fabs(forces[i].w - exact.energy[i]) <= allowed);
    energy += exact.energy[i];
    energy_size += std::fabs(exact.energy[i]);
  }
  if (!(std::fabs(field.total_energy() - energy) <= 1e-5 * energy_size)) wrong++;
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
