#pragma once
#include <cstddef>
#include <vector>

/// Strength and reach of the attraction between two kinds of atoms.
struct PairLaw {
  float sigma_squared;
  float epsilon;
};

/// What the kernel needs besides the arrays; travels by value.
struct LjParameters {
  int atoms;
  float box;
  float cutoff_squared;
  PairLaw law[2][2];
};

/// Atoms in a periodic cube with their neighbours: those of atom i are neighbours[first[i]] to neighbours[first[i + 1]
/// - 1].
struct Atoms {
  LjParameters parameters;
  std::vector<float> x, y, z;
  std::vector<int> kind;
  std::vector<int> first, neighbours;
};

Atoms make_atoms(int side);

/// Per atom: three components of the force, the energy, and how far float rounding may lead away from them.
struct Expected {
  std::vector<double> fx, fy, fz, energy, tolerance;
};
Expected expected_forces(const Atoms& atoms);
