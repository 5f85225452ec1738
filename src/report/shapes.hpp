#pragma once
// The two results of a run over several shapes: one configuration for all, and one for each size that deserves it.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/space.hpp"

namespace hone::report {

struct ShapeLine {
  std::string workload;
  Role role = Role::Tune;
  std::optional<double> general, per_shape;  // speedups against the original, as proven
  std::optional<Configuration> own;          // of this shape; absent: the general one
};

struct Shapes {
  Configuration general;
  std::vector<ShapeLine> lines;
  std::vector<std::pair<std::string, Configuration>> choice;  // "d == 4096" and what is used there
  std::string why_not;                                        // there is no choice by size
  bool in_patch = false;                                      // the patch carries the choice
};

std::vector<std::string> in_words(const Shapes& shapes);
nlohmann::json data(const Shapes& shapes);

}  // namespace hone::report
