#include "flow.hpp"

#include <array>
#include <random>

namespace {

constexpr std::array<int, directions> cx{0, 1, 0, -1, 0, 1, -1, -1, 1}, cy{0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::array<int, directions> opposite{0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr std::array<double, directions> weight{4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                                1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

double equilibrium(int q, double rho, double ux, double uy) {
  const double along = cx[q] * ux + cy[q] * uy;
  return weight[q] * rho * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
}

}  // namespace

Flow make_flow(const Options& options) {
  Flow flow{{options.width, options.height, 1.0f / 0.8f, 1e-4f}, options.steps, {}, {}};
  const int width = options.width, height = options.height;
  flow.wall.resize(static_cast<std::size_t>(width) * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int dx = x - width / 4, dy = y - height / 2, radius = height / 8;
      const bool solid = y == 0 || y == height - 1 || dx * dx + dy * dy < radius * radius;
      flow.wall[static_cast<std::size_t>(y) * width + x] = solid;
    }

  // every cell starts a little differently, so that taking the wrong one shows
  std::mt19937 random(9);
  std::uniform_real_distribution<double> rho(0.95, 1.05), u(-0.05, 0.05);
  flow.start.resize(directions * flow.cells());
  for (std::size_t cell = 0; cell < flow.cells(); cell++) {
    const double density = rho(random), ux = 0.05 + u(random), uy = u(random);
    for (int q = 0; q < directions; q++)
      flow.start[q * flow.cells() + cell] =
          static_cast<float>(flow.wall[cell] ? weight[q] : equilibrium(q, density, ux, uy));
  }
  return flow;
}

std::vector<double> simulate(const Flow& flow) {
  const int width = flow.params.width, height = flow.params.height;
  const std::size_t cells = flow.cells();
  std::vector<double> f(flow.start.begin(), flow.start.end()), next(f);
  for (int step = 0; step < flow.steps; step++) {
    // move: a population enters the cell ahead of it or, where that is solid, comes back reversed
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const std::size_t cell = static_cast<std::size_t>(y) * width + x;
        if (flow.wall[cell]) continue;
        for (int q = 0; q < directions; q++) {
          const int to_x = (x + cx[q] + width) % width, to_y = (y + cy[q] + height) % height;
          const std::size_t ahead = static_cast<std::size_t>(to_y) * width + to_x;
          if (flow.wall[ahead])
            next[opposite[q] * cells + cell] = f[q * cells + cell];
          else
            next[q * cells + ahead] = f[q * cells + cell];
        }
      }
    // collide
    for (std::size_t cell = 0; cell < cells; cell++) {
      if (flow.wall[cell]) continue;
      double rho = 0.0, ux = 0.0, uy = 0.0;
      for (int q = 0; q < directions; q++) {
        const double value = next[q * cells + cell];
        rho += value;
        ux += cx[q] * value;
        uy += cy[q] * value;
      }
      ux = ux / rho + flow.params.push / flow.params.omega;
      uy /= rho;
      for (int q = 0; q < directions; q++) {
        double& value = next[q * cells + cell];
        value += flow.params.omega * (equilibrium(q, rho, ux, uy) - value);
      }
    }
    f.swap(next);
  }
  return f;
}
