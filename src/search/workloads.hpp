#pragma once
// One configuration for many shapes: which is best for each, which one is best for all by geometric mean, and when a
// configuration has shown on some shapes that it cannot be.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/strategy.hpp"

namespace hone::search {

/// Outcomes of one configuration by workload name.
using ByShape = std::map<std::string, Outcome>;

struct ShapeTable {
  std::vector<std::string> tune, held_out;  // workload names; only `tune` ones choose
  std::vector<std::pair<Configuration, ByShape>> rows;
};

struct ShapeChoice {
  std::map<std::string, Configuration> per_shape;  // the fastest on each tune shape that has any
  std::optional<Configuration> general;            // smallest geometric mean; measured on every tune shape
  double general_mean = 0;
  std::map<std::string, double> held_out;  // times of the general one where it was measured
};

ShapeChoice choose_by_shape(const ShapeTable& table);

/// The row with the smallest geometric mean over `shapes`, all of which it was measured on, and that mean.
struct BestRow {
  Configuration configuration;
  double mean = 0;
};
std::optional<BestRow> best_for(const ShapeTable& table, const std::vector<std::string>& shapes);

/// Rows of one configuration as one, with the geometric mean of what was measured: a lucky time does not choose.
ShapeTable merged(const ShapeTable& table);

/// One outcome for a strategy: the geometric mean over all shapes, failed when it failed on any.
Outcome combined(const ByShape& outcomes, const std::vector<std::string>& shapes);

/// A race over shapes: called after each shape of a configuration. `incumbent` has a time for every shape.
/// Censored, with a bound on the geometric mean, when the rest cannot save it even at `hope` times the incumbent's
/// speed; Failed at the first failure; nothing while it is worth going on, or when all shapes are done.
std::optional<Outcome> drop_early(const ByShape& so_far, const std::map<std::string, double>& incumbent,
                                  double hope = 2);

}  // namespace hone::search
