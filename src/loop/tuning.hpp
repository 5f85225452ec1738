#pragma once
// Stage two for one template: ask, make the variant, screen it (or find it in the log), tell. Can be interrupted and
// continued, so that several templates share a budget by successive halving.

#include <memory>
#include <optional>
#include <string>

#include "core/mep.hpp"
#include "loop/allowance.hpp"
#include "loop/ports.hpp"
#include "loop/searched.hpp"

namespace hone::loop {

/// What all tunings of a run share.
struct TuningContext {
  const Mep& mep;
  const Ports& ports;
  Allowance& allowance;
  std::string run;
  std::string mep_hash;
  int round = 0;
  std::string strategy;
  std::uint64_t seed = 1;
  std::size_t batch = 2;
  std::map<std::string, Nanoseconds> incumbent;  // median by workload
  ProgressState& state;
  double original_time = 0;  // K(0)'s figure, see figure_of
  std::vector<search::Told> prior;
};

/// The figure that is minimised: the geometric mean over the tune workloads of the median span, in nanoseconds.
double figure_of(const std::map<std::string, Timed>& times);

search::Outcome outcome_of(const Screened& screened);

/// Screens a variant unless the log knows it, and logs it. Failures are verdicts; an Error is the machinery's.
Result<Screened> screen_logged(TuningContext& context, const Variant& variant, const Trial& about,
                               std::size_t repetition = 0);

class Tuning {
 public:
  static Result<Tuning> start(TuningContext& context, Template proposed, std::string proposer);

  /// Goes on for `share` units of the allowance. False when there is nothing left to ask.
  Result<bool> advance(TuningContext& context, double share);

  const Template& proposed() const { return proposed_; }
  const std::string& proposer() const { return searched_.proposer; }
  /// The best configuration so far with its figure; nothing when every one failed.
  std::optional<Configuration> best() const { return best_; }
  double best_figure() const { return best_figure_; }
  const Variant& best_variant() const { return best_variant_; }
  const Searched& searched() const { return searched_; }
  /// The first failure, for repair and for the summary.
  const std::optional<Fault>& fault() const { return fault_; }
  bool exhausted() const { return exhausted_; }
  /// The next best configuration when the best one was refused.
  void refuse_best();

 private:
  Tuning(Template proposed, Searched searched, std::unique_ptr<search::Strategy> strategy)
      : proposed_(std::move(proposed)), searched_(std::move(searched)), strategy_(std::move(strategy)) {}
  Status evaluate(TuningContext& context, const std::vector<Configuration>& batch);
  void tell(const Configuration& configuration, const Variant* variant, const Screened& screened);
  void find_best();

  struct Point {
    Configuration configuration;
    Variant variant;
    double figure = 0;  // geometric mean of its measurements
    std::size_t measurements = 0;
  };
  Template proposed_;
  Searched searched_;
  std::unique_ptr<search::Strategy> strategy_;
  std::vector<Point> points_;
  std::optional<Configuration> best_;
  Variant best_variant_;
  double best_figure_ = 0;
  std::size_t since_gain_ = 0;
  bool exhausted_ = false;
  std::optional<Fault> fault_;
};

}  // namespace hone::loop
