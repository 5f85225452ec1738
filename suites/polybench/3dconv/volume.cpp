#include "volume.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

Box box_from_arguments(int argc, char** argv) {
  int size[3] = {288, 288, 288};
  bool good = argc == 1 || argc == 2 || argc == 4;
  for (int d = 0; d < 3 && argc > 1; ++d) size[d] = std::atoi(argc == 4 ? argv[d + 1] : argv[1]);
  for (int one : size) good = good && one >= 3 && one <= 1024;
  if (!good) {
    std::fprintf(stderr, "usage: %s [N | NI NJ NK], each from 3 to 1024\n", argv[0]);
    std::exit(2);
  }
  return {size[0], size[1], size[2]};
}

std::vector<float> smooth_noise(const Box& box) {
  std::vector<float> values(box.cells());
  unsigned state = 12345;
  for (int i = 0; i < box.ni; ++i)
    for (int j = 0; j < box.nj; ++j)
      for (int k = 0; k < box.nk; ++k) {
        state = state * 1103515245u + 12345u;
        const float noise = static_cast<float>(state >> 16) / 65536.0f;
        values[box.at(i, j, k)] = std::sin(0.05f * i + 0.03f * j) + 0.02f * (k % 29) + noise;
      }
  return values;
}

long count_wrong(const Box& box, const std::vector<float>& in, const std::vector<float>& before, const std::vector<float>& out) {
  struct Term { int weight, di, dj, dk; };
  static constexpr Term terms[] = {{1, -1, -1, -1}, {3, 1, -1, -1}, {4, -1, 0, -1}, {6, 1, 0, -1}, {7, -1, 1, -1}, {9, 1, 1, -1},
                                   {2, 0, -1, 0},   {5, 0, 0, 0},   {8, 0, 1, 0},   {1, -1, -1, 1}, {9, 1, 1, 1}};
  long wrong = 0;
  for (int i = 0; i < box.ni; ++i)
    for (int j = 0; j < box.nj; ++j)
      for (int k = 0; k < box.nk; ++k) {
        const bool face = i == 0 || j == 0 || k == 0 || i == box.ni - 1 || j == box.nj - 1 || k == box.nk - 1;
        double expected = face ? before[box.at(i, j, k)] : 0.0;
        if (!face)
          for (const Term& term : terms) expected += static_cast<double>(weights[term.weight]) * in[box.at(i + term.di, j + term.dj, k + term.dk)];
        wrong += !(std::fabs(expected - out[box.at(i, j, k)]) <= 1e-5);
      }
  return wrong;
}
