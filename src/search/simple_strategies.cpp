#include "search/simple_strategies.hpp"

namespace hone::search {

namespace {

constexpr std::size_t longest_list = 5'000'000;

}  // namespace

std::optional<Point> Exhaustive::choose() {
  if (region().exact()) {
    if (static_cast<Count>(next_) >= region().count()) return std::nullopt;
    return region().at(next_++);
  }
  if (list_.empty()) list_ = region().list(longest_list);
  if (next_ >= list_.size()) return std::nullopt;
  return list_[next_++];
}

}  // namespace hone::search
