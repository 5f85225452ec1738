#include "crystal.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

namespace {

float nearest(float d, float box) { return d - box * std::round(d / box); }

int bin_of(float x, float box, int bins) { return std::clamp(static_cast<int>(x / box * bins), 0, bins - 1); }

}  // namespace

Crystal make_crystal(int atoms) {
  constexpr float lattice = 3.615f;
  int cells = 1;
  while (4 * cells * cells * cells < atoms) cells++;

  std::vector<std::array<float, 4>> sites;
  for (int z = 0; z < 2 * cells; z++)
    for (int y = 0; y < 2 * cells; y++)
      for (int x = 0; x < 2 * cells; x++)
        if ((x + y + z) % 2 == 0) sites.push_back({x * lattice / 2, y * lattice / 2, z * lattice / 2, 0.0f});

  std::mt19937 random(63);
  std::shuffle(sites.begin(), sites.end(), random);
  sites.resize(atoms);
  // atoms that are close in space are close in memory again
  std::sort(sites.begin(), sites.end(),
            [](const auto& a, const auto& b) { return std::tie(a[2], a[1], a[0]) < std::tie(b[2], b[1], b[0]); });

  Crystal crystal;
  crystal.box = cells * lattice;
  std::normal_distribution<float> heat(0.0f, 0.08f);
  for (auto& site : sites) {
    for (int d = 0; d < 3; d++) {
      site[d] += heat(random);
      site[d] -= crystal.box * std::floor(site[d] / crystal.box);
    }
    crystal.positions.push_back(site);
  }
  return crystal;
}

NeighbourList neighbours_of(const Crystal& crystal, float reach) {
  const int bins = std::max(1, static_cast<int>(crystal.box / reach));
  std::vector<std::vector<int>> binned(static_cast<std::size_t>(bins) * bins * bins);
  const auto bin_index = [&](int x, int y, int z) { return (static_cast<std::size_t>(z) * bins + y) * bins + x; };
  const auto bin = [&](int atom, int d) { return bin_of(crystal.positions[atom][d], crystal.box, bins); };
  for (int i = 0; i < crystal.size(); i++) binned[bin_index(bin(i, 0), bin(i, 1), bin(i, 2))].push_back(i);

  // with fewer than three bins a side the same bin would be visited twice
  std::vector<int> around = bins >= 3   ? std::vector<int>{-1, 0, 1}
                            : bins == 2 ? std::vector<int>{0, 1}
                                        : std::vector<int>{0};
  NeighbourList lists;
  lists.start.push_back(0);
  for (int i = 0; i < crystal.size(); i++) {
    for (int dz : around)
      for (int dy : around)
        for (int dx : around)
          for (int j : binned[bin_index((bin(i, 0) + dx + bins) % bins, (bin(i, 1) + dy + bins) % bins,
                                        (bin(i, 2) + dz + bins) % bins)]) {
            float r2 = 0.0f;
            for (int d = 0; d < 3; d++) {
              const float apart = nearest(crystal.positions[i][d] - crystal.positions[j][d], crystal.box);
              r2 += apart * apart;
            }
            if (j != i && r2 < reach * reach) lists.list.push_back(j);
          }
    lists.start.push_back(static_cast<int>(lists.list.size()));
  }
  return lists;
}
