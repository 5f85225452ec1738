#pragma once
// The default strategy: a Gaussian process over log time, started at the centre of the space, asked for the largest
// expected improvement, every other time only among single changes of the best point. It needs no settings; see
// docs/search.md.

#include <memory>
#include <vector>

#include "search/kernel_fit.hpp"
#include "search/prior_model.hpp"
#include "search/strategy_base.hpp"
#include "search/surrogate.hpp"

namespace hone::search {

class Adaptive : public PointStrategy {
 public:
  Adaptive(Region region, const StrategyOptions& options);
  /// By the model's mean where measurements were seen to repeat differently, else the smallest time.
  std::optional<Configuration> best() const override;
  std::optional<double> expected_gain() const override { return expected_gain_; }

 protected:
  std::optional<Point> choose() override;
  void learn(const Point& point, const Outcome& outcome) override;

 private:
  static constexpr std::size_t room = 41;  // points added to a model before it is made anew

  std::optional<Point> decide();
  void take(const Point& point);
  void plan_first_points();
  std::optional<Point> next_first_point();
  std::optional<Point> instead_of_the_center();
  bool prior_keeps_its_word() const;
  std::optional<Point> replicate();
  std::optional<Point> far_from_failures();
  void renew_model();
  void add_new_points();
  void weigh_failures(const std::vector<std::size_t>& subset);
  Positions embedded(const std::vector<std::size_t>& subset) const;
  void start_fit();
  bool go_on_fitting();
  std::vector<std::size_t> model_subset(std::size_t most, bool with_accidents);
  void renew_candidates();
  void mark_local(std::size_t center);
  std::vector<std::size_t> valleys() const;
  std::size_t local_center(std::size_t lead);
  void add_candidate(const Point& point);
  std::optional<Point> most_promising();
  Vector targets_of(const std::vector<std::size_t>& subset) const;
  Vector repeats_of(const std::vector<std::size_t>& subset) const;
  bool is_noisy() const;
  double flattened(double log_time) const;
  void update_quantile();
  std::vector<std::size_t> ranked() const;

  Features features_;
  std::optional<PriorModel> prior_;
  std::vector<Kernel> starts_;
  std::optional<KernelFit> fit_;  // under way
  Kernel kernel_;
  Surrogate surrogate_;
  std::vector<std::size_t> modelled_;  // positions in the history, in the surrogate's order
  std::size_t considered_ = 0;         // how much of the history the model has seen
  std::vector<Point> candidates_;
  std::vector<bool> taken_, local_;
  std::unordered_map<Point, std::size_t, PointHash> candidate_index_;
  Trend trend_;
  std::vector<Point> first_points_, trusted_points_;
  std::size_t next_first_ = 0, next_trusted_ = 0;
  std::vector<Point> centers_;                        // the centre, and what was asked for when that failed
  std::unordered_map<std::size_t, double> believed_;  // expected at points not measured, by position in the history
  std::optional<std::size_t> incumbent_, modelled_incumbent_;
  std::size_t lead_ = 0, lead_since_ = 0;  // best by the model, and the ask it became so
  std::size_t measured_ = 0, fitted_at_ = 0, asks_ = 0, asks_since_renewal_ = 0;
  double quantile_ = 0;
  std::optional<double> expected_gain_;  // of the best candidate at the latest ask, when a model chose it
  bool accidents_ = false;               // failures come from nowhere
  double repeat_variance_ = 0;           // of log times, from points measured more than once
  std::size_t repeats_seen_ = 0, replicated_at_ = 0;
};

}  // namespace hone::search
