#include "search/region.hpp"

#include <algorithm>

#include "core/arithmetic.hpp"

namespace hone::search {

namespace {

/// Tries of rejection sampling before a sample is given up.
constexpr int tries = 20000;

}  // namespace

Count Region::product() const {
  Count product = 1;
  for (const auto& parameter : space_.parameters) product *= static_cast<Count>(parameter.values.size());
  return product;
}

std::size_t Region::edges() const {
  std::size_t edges = 0;
  for (const auto& level : levels_) edges += level.child.size();
  return edges;
}

void Region::count_completions() {
  for (std::size_t k = levels_.size(); k-- > 0;) {
    auto& level = levels_[k];
    const auto size = size_of(level.parameter);
    level.below.assign(level.child.size() / size, 0);
    for (std::size_t edge = 0; edge < level.child.size(); ++edge) {
      auto& child = level.child[edge];
      if (child == none) continue;
      const Count below = k + 1 < levels_.size() ? levels_[k + 1].below[child] : 1;
      if (below == 0) child = none;
      level.below[edge / size] += below;
    }
  }
  count_ = levels_.empty() ? 1 : levels_[0].below[0];
}

bool Region::passes(const Point& point) const {
  if (unchecked_.empty()) return true;
  const auto environment = [&](std::string_view name) -> std::optional<Value> {
    for (std::size_t i = 0; i < dimensions(); ++i) {
      if (space_.parameters[i].name == name) return space_.parameters[i].values[point[i]];
    }
    return std::nullopt;
  };
  return std::all_of(unchecked_.begin(), unchecked_.end(), [&](const Expression& condition) {
    const auto holds = condition.evaluate_condition(environment);
    return holds && *holds;
  });
}

bool Region::contains(const Point& point) const {
  if (point.size() != dimensions()) return false;
  std::uint32_t node = 0;
  for (const auto& level : levels_) {
    const auto size = size_of(level.parameter);
    if (point[level.parameter] >= size) return false;
    node = level.child[node * size + point[level.parameter]];
    if (node == none) return false;
  }
  return passes(point);
}

template <class Begin>
Point Region::descend(Count rest, const Begin& begin_level) const {
  Point point(dimensions(), 0);
  std::uint32_t node = 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const auto& level = levels_[k];
    const auto size = size_of(level.parameter);
    begin_level(rest, level.below[node]);
    std::uint32_t last = none;
    for (std::size_t value = 0; value < size; ++value) {
      const auto child = level.child[node * size + value];
      if (child == none) continue;
      last = child;
      point[level.parameter] = static_cast<std::uint16_t>(value);
      const Count below = k + 1 < levels_.size() ? levels_[k + 1].below[child] : 1;
      if (rest < below) break;
      rest -= below;
    }
    node = last;
  }
  return point;
}

Point Region::at(std::uint64_t position) const {
  return descend(static_cast<Count>(position), [](Count&, Count) {});
}

std::optional<Point> Region::sample(Random& random) const {
  // Counts beyond 2^63 are drawn as a share; the rounding is far below what any sample could show.
  const auto draw = [&] {
    const Count limit = 9.0e18L;
    if (count_ < limit) return at(random.below(static_cast<std::uint64_t>(count_)));
    return descend(0, [&](Count& rest, Count below) { rest = below * static_cast<Count>(random.real()); });
  };
  for (int i = 0; i < tries; ++i) {
    auto point = draw();
    if (passes(point)) return point;
  }
  return std::nullopt;
}

void Region::list_from(std::size_t k, std::uint32_t node, Point& point, std::size_t most,
                       std::vector<Point>& out) const {
  if (out.size() >= most) return;
  if (k == levels_.size()) {
    if (passes(point)) out.push_back(point);
    return;
  }
  const auto& level = levels_[k];
  const auto size = size_of(level.parameter);
  for (std::size_t value = 0; value < size; ++value) {
    const auto child = level.child[node * size + value];
    if (child == none) continue;
    point[level.parameter] = static_cast<std::uint16_t>(value);
    list_from(k + 1, child, point, most, out);
  }
}

std::vector<Point> Region::list(std::size_t most) const {
  std::vector<Point> out;
  if (exact() && count_ <= static_cast<Count>(most)) out.reserve(static_cast<std::size_t>(count_));
  Point point(dimensions(), 0);
  list_from(0, 0, point, most, out);
  return out;
}

std::vector<Point> Region::neighbours(const Point& point, bool adjacent) const {
  std::vector<Point> out;
  Point moved = point;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const std::size_t here = point[i];
    const std::size_t first = adjacent && here > 0 ? here - 1 : (adjacent ? here : 0);
    const std::size_t last = adjacent ? std::min(here + 2, size_of(i)) : size_of(i);
    for (std::size_t value = first; value < last; ++value) {
      if (value == here) continue;
      moved[i] = static_cast<std::uint16_t>(value);
      if (contains(moved)) out.push_back(moved);
    }
    moved[i] = point[i];
  }
  return out;
}

Configuration Region::configuration(const Point& point) const {
  Configuration configuration;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    configuration[space_.parameters[i].name] = space_.parameters[i].values[point[i]];
  }
  return configuration;
}

std::optional<Point> Region::point(const Configuration& configuration) const {
  Point point(dimensions(), 0);
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const auto found = configuration.find(space_.parameters[i].name);
    if (found == configuration.end()) return std::nullopt;
    const auto& values = space_.parameters[i].values;
    auto at = std::find(values.begin(), values.end(), found->second);
    if (at == values.end()) {
      at = std::find_if(values.begin(), values.end(),
                        [&](const Value& value) { return *compare("==", value, found->second); });
    }
    if (at == values.end()) return std::nullopt;
    point[i] = static_cast<std::uint16_t>(at - values.begin());
  }
  return point;
}

}  // namespace hone::search
