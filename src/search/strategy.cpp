#include "search/strategy.hpp"

#include "base/text.hpp"
#include "search/adaptive.hpp"
#include "search/descent.hpp"
#include "search/simple_strategies.hpp"

namespace hone::search {

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = {"adaptive", "exhaustive", "random", "descent", "genetic"};
  return names;
}

Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, const Space& space,
                                                const StrategyOptions& options) {
  auto region = Region::build(space, options.known);
  if (!region) return fail(region.error());
  return make_strategy(name, std::move(*region), options);
}

Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, Region region,
                                                const StrategyOptions& options) {
  if (name == "adaptive") return std::make_unique<Adaptive>(std::move(region), options);
  if (name == "exhaustive") return std::make_unique<Exhaustive>(std::move(region), options);
  if (name == "descent") return std::make_unique<Descent>(std::move(region), options);
  if (name == "genetic") return std::make_unique<Genetic>(std::move(region), options);
  if (name == "random") return std::make_unique<RandomSearch>(std::move(region), options);
  const auto close = nearest(name, strategy_names());
  return fail("E-STRATEGY", "there is no strategy " + name + (close ? "; did you mean " + *close + "?" : ""),
              "choose one of " + join(strategy_names(), ", "));
}

}  // namespace hone::search
