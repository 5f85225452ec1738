#pragma once

#include <array>
#include <vector>

/// A warm copper crystal with vacancies in a periodic cube, in angstroms.
struct Crystal {
  float box = 0.0f;
  std::vector<std::array<float, 4>> positions;  // the fourth is not used

  int size() const { return static_cast<int>(positions.size()); }
};

Crystal make_crystal(int atoms);

/// Neighbours of atom i: list[start[i]] ... list[start[i + 1] - 1].
struct NeighbourList {
  std::vector<int> start;
  std::vector<int> list;
};

NeighbourList neighbours_of(const Crystal& crystal, float reach);
