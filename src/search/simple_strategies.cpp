#include "search/simple_strategies.hpp"

namespace hone::search {

namespace {

constexpr std::size_t longest_list = 5'000'000;

}  // namespace

std::optional<Point> Exhaustive::choose() {
  if (region().exact()) {
    while (static_cast<Count>(next_) < region().count()) {
      auto point = region().at(next_++);
      if (!history().known(point)) return point;
    }
    return std::nullopt;
  }
  if (list_.empty()) list_ = region().list(longest_list);
  while (next_ < list_.size()) {
    if (const auto& point = list_[next_++]; !history().known(point)) return point;
  }
  return std::nullopt;
}

}  // namespace hone::search
