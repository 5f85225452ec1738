#pragma once
// The live line on a terminal as a pure function: state and width in, text out.

#include <cstddef>
#include <string>

#include "base/units.hpp"

namespace hone::report {

struct Progress {
  int round = 0, rounds = 0;
  std::string doing;
  std::size_t evaluations = 0, failures = 0;
  double best = 1;  // speedup so far
  double done = 0;  // share of the budget, 0 to 1
  Seconds elapsed{0}, left{0};
};

/// At most `width` columns: first the words about the current step are shortened, then fields are left out, least
/// useful first.
std::string progress_line(const Progress& progress, std::size_t width);

/// "45 s", "3 min 20 s", "1 h 05 min".
std::string duration_text(Seconds duration);

}  // namespace hone::report
