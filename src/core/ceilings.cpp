#include "core/ceilings.hpp"

#include <algorithm>

namespace hone {

double ceiling_for(const Ceilings& ceilings, Bytes footprint) {
  const auto& points = ceilings.bandwidth;
  // From the largest point that is not above the footprint: between two points the smaller one, the faster, holds.
  auto first = std::upper_bound(points.begin(), points.end(), footprint,
                                [](Bytes size, const BandwidthPoint& point) { return size < point.footprint; });
  if (first != points.begin()) --first;
  double best = 0;
  for (auto point = first; point != points.end(); ++point) best = std::max(best, point->bytes_per_second);
  return best;
}

Nanoseconds least_time(const Ceilings& ceilings, Bytes footprint, Bytes moved) {
  const double rate = ceiling_for(ceilings, footprint);
  return rate > 0 ? Nanoseconds(static_cast<double>(moved.count) / rate * 1e9) : Nanoseconds(0);
}

}  // namespace hone
