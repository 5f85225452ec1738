#pragma once
// How configurations are chosen. Pure ask/tell: a Strategy has no clock and no I/O, its randomness comes from the seed
// it is given, and the same seed and the same tells give the same asks.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/space.hpp"
#include "search/region.hpp"

namespace hone::search {

/// What came of one evaluation. `value` is a time (any unit, smaller is better); a Censored one is only known to be
/// above.
struct Outcome {
  enum class Kind { Measured, Failed, Censored };
  Kind kind = Kind::Failed;
  double value = 0;
  static Outcome measured(double value) { return {Kind::Measured, value}; }
  static Outcome failed() { return {Kind::Failed, 0}; }
  static Outcome censored(double above) { return {Kind::Censored, above}; }
};

struct Told {
  Configuration configuration;
  Outcome outcome;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// The next configuration to evaluate, always within the constraints; nothing when the space is exhausted.
  /// Several asks may come before the first tell.
  virtual std::optional<Configuration> ask() = 0;
  virtual void tell(const Configuration& configuration, const Outcome& outcome) = 0;
  /// The configuration to choose if the search ended now; never one that failed.
  virtual std::optional<Configuration> best() const = 0;
  /// By how much the best is expected to fall with what was asked for last, as a share of it (0.02: 2%); nothing where
  /// the strategy does not know.
  virtual std::optional<double> expected_gain() const { return std::nullopt; }
};

struct StrategyOptions {
  std::uint64_t seed = 1;
  /// Earlier outcomes of the same template elsewhere (another device, shape or run); may be empty.
  std::vector<Told> prior;
  /// When not 0, the number of evaluations the caller can afford; a hint, never a limit.
  std::size_t budget = 0;
  /// Values of names in constraints that are not parameters (`device.max_work_group_size`); may be empty.
  Expression::Environment known;
};

const std::vector<std::string>& strategy_names();

/// Names: exhaustive, random, descent, genetic, adaptive (the default). E-STRATEGY for others, naming the nearest.
Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, const Space& space,
                                                const StrategyOptions& options);
/// The same for a region that is already built.
Result<std::unique_ptr<Strategy>> make_strategy(const std::string& name, Region region, const StrategyOptions& options);

}  // namespace hone::search
