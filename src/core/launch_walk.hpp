#pragma once
// The one walk over a sequence of launches: of a Mep's workload (Launch and LaunchLoop) or of a host program
// (HostLaunch and HostLoop), const or not. Launches are seen once each in the order written, however often their loops
// run.

#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hone {

/// `see(launch)`, or `see(launch, loops)` with the loops around it, the outermost first.
template <class Steps, class See>
void each_launch(Steps& steps, const See& see) {
  using Step = std::remove_reference_t<decltype(*std::begin(steps))>;
  using Loop = std::remove_reference_t<decltype(std::get<1>(std::declval<Step&>()))>;
  std::vector<Loop*> loops;
  const std::function<void(Steps&)> walk = [&](Steps& body) {
    for (auto& step : body) {
      if (auto* launch = std::get_if<0>(&step)) {
        if constexpr (std::is_invocable_v<See, decltype(*launch), const std::vector<Loop*>&>)
          see(*launch, std::as_const(loops));
        else
          see(*launch);
        continue;
      }
      loops.push_back(&std::get<1>(step));
      walk(loops.back()->body);
      loops.pop_back();
    }
  };
  walk(steps);
}

/// `see(loop)` for every loop, outer ones first.
template <class Steps, class See>
void each_loop(Steps& steps, const See& see) {
  for (auto& step : steps) {
    auto* loop = std::get_if<1>(&step);
    if (loop == nullptr) continue;
    see(*loop);
    each_loop(loop->body, see);
  }
}

}  // namespace hone
