// A region given by its points: a tree of prefixes whose equal branches are shared from the leaves up.

#include <algorithm>
#include <map>

#include "search/region.hpp"

namespace hone::search {

Result<Region> Region::of(const Space& space, const std::vector<Configuration>& configurations) {
  Region region;
  region.space_ = space;
  std::vector<Point> points;
  for (const auto& configuration : configurations) {
    auto point = region.point(configuration);
    if (!point)
      return fail("E-SPACE", "configuration " + print(configuration) + " has a value outside its parameter's");
    points.push_back(std::move(*point));
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.empty()) return fail("E-SPACE", "there is no configuration");

  const auto n = space.parameters.size();
  std::vector<std::vector<std::vector<std::uint32_t>>> nodes(n);  // of each level: the children by value
  std::vector<std::map<std::vector<std::uint32_t>, std::uint32_t>> known(n);
  std::vector<std::vector<std::uint32_t>> open(n);  // the branch being built
  for (std::size_t k = 0; k < n; ++k) open[k].assign(region.size_of(k), none);
  const auto close_from = [&](const Point& point, std::size_t first) {
    std::uint32_t child = 0;
    for (std::size_t k = n; k-- > first;) {
      open[k][point[k]] = child;
      if (k == first) return;
      const auto [at, added] = known[k].try_emplace(open[k], static_cast<std::uint32_t>(nodes[k].size()));
      if (added) nodes[k].push_back(open[k]);
      child = at->second;
      open[k].assign(region.size_of(k), none);
    }
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t shared = 0;
    if (i + 1 < points.size()) {
      while (points[i][shared] == points[i + 1][shared]) ++shared;
    }
    close_from(points[i], shared);
  }
  if (n > 0) nodes[0].push_back(open[0]);
  for (std::size_t k = 0; k < n; ++k) {
    Level level;
    level.parameter = k;
    for (const auto& node : nodes[k]) level.child.insert(level.child.end(), node.begin(), node.end());
    region.levels_.push_back(std::move(level));
  }
  region.count_completions();
  return region;
}

}  // namespace hone::search
