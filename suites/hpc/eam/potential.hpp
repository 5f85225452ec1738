// An embedded-atom potential in the shape of copper's, by formula (for the reference) and as tables (for the device).
#pragma once

#include <array>
#include <vector>

struct ValueAndSlope {
  double value;
  double slope;
};

struct Potential {
  double cutoff = 5.5;

  ValueAndSlope density(double r) const;      // what a neighbour at r adds to the electron density
  ValueAndSlope pair(double r) const;         // repulsion of two atoms
  ValueAndSlope embedding(double rho) const;  // energy of an atom in a density
};

using Table = std::vector<std::array<float, 2>>;

struct Tables {
  int entries = 4000;
  float entries_per_r = 0.0f;
  float entries_per_rho = 0.0f;
  Table density, pair, embedding;
};

Tables tabulate(const Potential& potential);
