// eam [ATOMS]: densities, embedding energies and forces of a copper crystal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "crystal.hpp"
#include "device.hpp"
#include "potential.hpp"
#include "reference.hpp"
#include "step.hpp"

int main(int argc, char** argv) {
  const int atoms = argc > 1 ? std::atoi(argv[1]) : 24000;
  if (atoms < 257) {
    std::fprintf(stderr, "usage: eam [ATOMS], at least 257 of them\n");  // fewer see their own images
    return 2;
  }
  try {
    const Potential potential;
    const Tables tables = tabulate(potential);
    const Crystal crystal = make_crystal(atoms);
    const NeighbourList lists = neighbours_of(crystal, static_cast<float>(potential.cutoff) + 0.4f);

    DeviceContext device;
    EamStep step(device, crystal, lists, tables, static_cast<float>(potential.cutoff));
    step.run();
    double best = step.run();
    best = std::min(best, step.run());
    best = std::min(best, step.run());

    std::printf("kernel_ms %.3f\n", best);
    const int wrong = wrong_atoms(crystal, lists, potential, step.result());
    std::printf("check %s\n", wrong ? "FAILED" : "OK");
    return wrong ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "eam: %s\n", error.what());
    return 2;
  }
}
