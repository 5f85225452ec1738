#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "search/strategy.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

/// Whatever the outcomes are, every ask is valid, new unless it is a replicate, and the best never failed.
RC_GTEST_PROP(Strategies, NeverAskOutsideTheConstraints, ()) {
  const auto name = *rc::gen::elementOf(strategy_names());
  const auto space = block_space();
  StrategyOptions options;
  options.seed = *rc::gen::arbitrary<std::uint64_t>();
  auto strategy = make_strategy(name, space, options).value();
  Random random(options.seed);
  const auto batch = *rc::gen::inRange(1, 6);
  std::set<std::string> failed;
  for (int round = 0; round < 12; ++round) {
    std::vector<Configuration> asked;
    for (int i = 0; i < batch; ++i) {
      if (auto configuration = strategy->ask()) asked.push_back(*configuration);
    }
    for (const auto& configuration : asked) {
      for (const auto& c : space.constraints) {
        RC_ASSERT(c.condition.evaluate_condition(environment_of(configuration)).value());
      }
      const double kind = random.real();
      if (kind < 0.3) failed.insert(print(configuration));
      strategy->tell(configuration, kind < 0.3   ? Outcome::failed()
                                    : kind < 0.4 ? Outcome::censored(5)
                                                 : Outcome::measured(1 + random.real()));
    }
    const auto best = strategy->best();
    RC_ASSERT(!(best && failed.contains(print(*best))));
  }
}

}  // namespace
}  // namespace hone::search
