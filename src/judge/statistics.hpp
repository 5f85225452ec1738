#pragma once
// From samples to a call. Challenger and incumbent are measured in pairs, one after the other, so that what the machine
// does to both cancels; the ratio of each pair is resampled for an interval. Where others use the machine in bursts, a
// burst often meets only one of a pair: such pairs are left out when enough others remain. Pure: randomness comes from
// the seed.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "core/verdict.hpp"

namespace hone::judge {

/// One visit to each: the middle of a few runs taken back to back.
struct Pair {
  Nanoseconds incumbent{0}, challenger{0};
};

struct CompareOptions {
  double margin = 0.02;      // differences below it are called SAME
  double confidence = 0.99;  // of the interval; several looks are taken, so above the customary 0.95
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// The pairs in which both took hardly longer than at their best; all of them when too few are left, or when one side
/// is slow more often than the other: then it is not the machine.
std::vector<Pair> undisturbed(std::span<const Pair> pairs);

/// The median of the undisturbed pairs' ratios (incumbent / challenger) with its bootstrap interval. UNCLEAR while the
/// interval straddles a margin. Of fewer pairs than a bootstrap is good for, the interval is that of all of them, and
/// its confidence what so many pairs give.
Comparison compare_pairs(std::span<const Pair> pairs, const CompareOptions& options);

/// How much the medians of the first and the last third differ, as a ratio above 1.
double drift_of(std::span<const Nanoseconds> samples);

/// One comparison over several workloads: geometric mean of the ratios, interval from the pooled logarithms. FASTER
/// only when none is SLOWER.
Comparison combine(std::span<const Comparison> comparisons, double margin);

/// What two measurements of the same pair, each in processes of its own, say together: the call they share, and an
/// interval that holds both.
Comparison agreed(const Comparison& first, const Comparison& second);

/// Whether the whole interval lies so far from 1 that nothing a machine does to one process and not to the other
/// explains it.
bool is_far(const Comparison& comparison, double factor);

/// Whether the call is clear and its figure is not: the interval spans more than this ratio. Never where that is 0.
bool is_rough(const Comparison& comparison, double within);

/// How many more pairs are worth taking: none when the call is clear, or when it is hopeless. A few decide when all of
/// them say the same by far; on a machine that stays busy there is an end too.
class Effort {
 public:
  struct Limits {
    std::size_t few = 5, first = 12, step = 6, most = 96;
    double far = 1.5;
  };
  explicit Effort(Limits limits) : limits_(limits) {}
  /// Pairs to take before looking again; 0 ends it.
  std::size_t next(std::size_t taken, const Comparison& so_far) const;

 private:
  Limits limits_;
};

}  // namespace hone::judge
