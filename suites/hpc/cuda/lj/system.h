#pragma once
#include <vector>

/// Atoms of two kinds in a periodic cube, and who is near whom. Units are reduced: the first kind has sigma = epsilon
/// = 1.
struct Pair {
  float sigma2, epsilon;
};

struct System {
  int atoms = 0;
  float box = 0;               // length of an edge
  float cutoff = 2.5f;         // of the force
  std::vector<float> x, y, z;  // one value an atom
  std::vector<int> kind;       // 0 or 1
  Pair pairs[4];               // [kind][kind]
  std::vector<int> count;      // neighbours of each atom
  std::vector<int> list;       // [slot][atom]: neighbour number `slot` of the atom
  int slots = 0;
};

/// side^3 lattice sites, each atom moved a little, some sites left empty; lists reach `skin` beyond the cutoff.
System make_system(int side, float skin);

struct Forces {
  std::vector<double> x, y, z, energy;
  std::vector<double> size;   // sum of the sizes of an atom's pair forces
  std::vector<double> slack;  // the same of pairs so close to the cutoff that rounding decides on which side they are
};
Forces reference_forces(const System& s);
