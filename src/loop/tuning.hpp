#pragma once
// Stage two for one template: ask, make the variant, screen it (or find it in the log), tell. Can be interrupted and
// continued, so that several templates share a budget by successive halving.

#include <memory>
#include <optional>
#include <string>

#include "loop/learned_constraints.hpp"
#include "loop/screening.hpp"
#include "loop/searched.hpp"

namespace hone::loop {

class Tuning {
 public:
  static Result<Tuning> start(const TuningContext& context, Template proposed, std::string proposer);

  /// The variant of its first point, so that those of several templates can be built together: the template's own
  /// default where that is feasible, else what the search asks for. Nothing when that cannot be made.
  std::optional<Variant> first_variant(const TuningContext& context);
  /// Looks at the first point. No second time.
  Status look(TuningContext& context);
  /// Goes on for `share` units of the allowance, until nothing is left to ask, or until it is quiet().
  Status advance(TuningContext& context, double share);
  /// Measures the best point once more: a lucky first time must not win.
  Status repeat_best(TuningContext& context);

  /// A round of asking begins.
  void begin_round() { quiet_asks_ = 0; }
  /// What was asked for lately in this round promised less than the floor.
  bool quiet() const { return quiet_asks_ >= asks_of_a_round; }
  /// At the end of a round: settled after three quiet ones in a row.
  void end_round() { quiet_rounds_ = quiet() ? quiet_rounds_ + 1 : 0; }
  bool settled() const { return quiet_rounds_ >= 3; }
  bool exhausted() const { return exhausted_; }
  /// Nothing more is to be expected of it.
  bool finished() const { return exhausted_ || settled(); }

  const Template& proposed() const { return proposed_; }
  const std::string& proposer() const { return searched_.proposer; }
  /// The best configuration so far with its figure; nothing when every one failed.
  std::optional<Configuration> best() const { return best_; }
  double best_figure() const { return best_figure_; }
  std::size_t best_measurements() const { return best_measurements_; }
  const Variant& best_variant() const { return best_variant_; }
  const Searched& searched() const { return searched_; }
  /// The first failure, for repair and for the summary.
  const std::optional<Fault>& fault() const { return fault_; }
  /// The next best configuration when the best one was refused.
  void refuse_best();
  /// The template with what failed here as constraints: it is right where it is not.
  Template constrained() const;
  /// The same template but for its defaults: these are points of this search, and not a search of their own.
  bool is_same_but_for_defaults(const Template& other) const;
  /// Somebody expects something of this point: it is tried next. False where it is outside of the constraints.
  bool seed(const Configuration& configuration);
  /// Tries what was seeded, so that it can be told before the next question.
  Status try_seeds(TuningContext& context);

  int repairs = 0;  // how many stand between this template and the one first proposed
  int round = 0;    // it was proposed in

 private:
  static constexpr std::size_t asks_of_a_round = 8;
  static constexpr std::size_t most_failures = 8;   // with nothing that works: the template is at fault
  static constexpr std::size_t second_chances = 2;  // other points, before a first one that fails speaks for all

  Tuning(Template proposed, Searched searched, search::Region region, std::unique_ptr<search::Strategy> strategy)
      : proposed_(std::move(proposed)),
        searched_(std::move(searched)),
        region_(std::move(region)),
        strategy_(std::move(strategy)) {}
  bool is_feasible(const Configuration& configuration) const;
  std::optional<Configuration> next_seed();
  bool last_failed() const;
  Status evaluate(TuningContext& context, const std::vector<Configuration>& batch);
  Result<Screened> screen(TuningContext& context, const Configuration& configuration, const Result<Variant>& made);
  std::optional<Configuration> ask(double floor);
  void tell(const TuningContext& context, const Configuration& configuration, const Variant* variant,
            const Screened& screened);
  void find_best();
  bool is_hopeless() const;
  void show(TuningContext& context, const Screened& screened) const;

  struct Point {
    Configuration configuration;
    Variant variant;
    double figure = 0;  // geometric mean of its measurements
    std::size_t measurements = 0;
  };
  Template proposed_;
  Searched searched_;
  search::Region region_;
  std::unique_ptr<search::Strategy> strategy_;
  std::optional<Configuration> first_;  // chosen, not looked at yet
  bool looked_ = false;
  std::vector<Configuration> seeds_;           // not tried yet
  std::vector<search::Told> refused_;          // that the judge refused after they had been timed
  std::optional<FailingRange> failing_range_;  // nothing in it is asked for any more
  std::vector<Point> points_;
  std::optional<Configuration> best_;
  Variant best_variant_;
  double best_figure_ = 0;
  std::size_t best_measurements_ = 0;
  std::size_t quiet_asks_ = 0;
  int quiet_rounds_ = 0;
  bool exhausted_ = false;
  std::optional<Fault> fault_;
};

}  // namespace hone::loop
