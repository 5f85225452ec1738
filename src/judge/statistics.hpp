#pragma once
// From samples to a call. Challenger and incumbent are measured in pairs, one after the other, so that what the machine
// does to both cancels; the ratio of each pair is resampled for an interval. Pure: randomness comes from the seed.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "core/verdict.hpp"

namespace hone::judge {

/// One visit to each: medians of a few runs taken back to back.
struct Pair {
  Nanoseconds incumbent{0}, challenger{0};
};

struct CompareOptions {
  double margin = 0.02;      // differences below it are called SAME
  double confidence = 0.99;  // of the interval; several looks are taken, so above the customary 0.95
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// The median of the pairs' ratios (incumbent / challenger) with its bootstrap interval. UNCLEAR while the interval
/// straddles a margin.
Comparison compare_pairs(std::span<const Pair> pairs, const CompareOptions& options);

/// How much the medians of the first and the last third differ, as a ratio above 1.
double drift_of(std::span<const Nanoseconds> samples);

/// One comparison over several workloads: geometric mean of the ratios, interval from the pooled logarithms. FASTER
/// only when none is SLOWER.
Comparison combine(std::span<const Comparison> comparisons, double margin);

/// How many more pairs are worth taking: none when the call is clear, or when it is hopeless.
class Effort {
 public:
  struct Limits {
    std::size_t first = 12, step = 6, most = 72;
  };
  explicit Effort(Limits limits) : limits_(limits) {}
  /// Pairs to take before looking again; 0 ends it.
  std::size_t next(std::size_t taken, const Comparison& so_far) const;

 private:
  Limits limits_;
};

}  // namespace hone::judge
