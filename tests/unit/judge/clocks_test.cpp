// When the parent's clock is believed against the samples.

#include "judge/clocks.hpp"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

TimesTaken visit_of(std::size_t runs, double sample, double wall, double cpu) {
  TimesTaken taken;
  taken.span.assign(runs, Nanoseconds(sample));
  taken.wall = Nanoseconds(wall);
  taken.cpu = Nanoseconds(cpu);
  return taken;
}

/// A pass claims 1 ms and restoring takes 1 ms. `wall` and `cpu`: what a run really costs, in ms, while restoring waits
/// for as long as `waiting`.
std::optional<std::string> doubted(double wall, double cpu, double waiting) {
  Clocks challenger, incumbent, restoring;
  for (const std::size_t runs : {10, 20, 10, 20}) {
    const auto n = static_cast<double>(runs + 1) * 1e6;
    challenger.saw(runs, visit_of(runs, 1e6, n * (1 + waiting + wall), n * (1 + cpu)));
    incumbent.saw(runs, visit_of(runs, 5e6, n * (1 + waiting + 5), n * (1 + 10)));
    restoring.saw(runs, visit_of(runs, 0, n * (1 + waiting), n));
  }
  return disagreement({challenger, incumbent, restoring, Nanoseconds(1e6), 10, 1, 2});
}

TEST(ClocksThatDisagree, AreBelievedOnAQuietMachine) {
  EXPECT_FALSE(doubted(1, 2, 0));
  EXPECT_TRUE(doubted(2, 2, 0));
  EXPECT_TRUE(doubted(8, 16, 0));
}

TEST(ClocksThatDisagree, LeaveItToTheProcessorTimeOnABusyOne) {
  EXPECT_FALSE(doubted(4, 2, 3)) << "a pass that waits three times as long as it runs";
  EXPECT_TRUE(doubted(9, 16, 3)) << "a pass that computes eight times as long as it claims";
}

}  // namespace
}  // namespace hone::judge
