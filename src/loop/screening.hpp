#pragma once
// One look at one variant, through the log: what is known already is not measured again, and what was not measured
// never has a number.

#include <algorithm>
#include <map>
#include <string>

#include "core/mep.hpp"
#include "loop/allowance.hpp"
#include "loop/options.hpp"
#include "loop/ports.hpp"

namespace hone::loop {

/// What all tunings of a run share.
struct TuningContext {
  const Mep& mep;
  const LoopOptions& options;
  const Ports& ports;
  Allowance& allowance;
  ProgressState& state;
  int round = 0;
  /// Called after each measurement of a search: what came meanwhile is heard.
  std::function<Status()> between = [] { return Status(); };
  std::map<std::string, Nanoseconds> incumbent = {};  // median by workload
  double original_time = 0;                           // K(0)'s figure, see figure_of
  double least = 0;                                   // the least possible figure; 0 when it is not known

  /// In units of the budget, by the pace so far.
  double cost_of_a_look() const {
    return allowance.counts_evaluations() ? 1
                                          : screening.count() / static_cast<double>(std::max<std::size_t>(looks, 1));
  }
  /// Nothing is left to gain. A figure below the least shows that the bound is none: data that never leave a cache,
  /// work that need not be done.
  bool is_enough(double figure) const { return least > 0 && figure >= least && figure * options.enough <= least; }
  Seconds screening{0};   // what all looks took, building included
  std::size_t looks = 0;  // K(0)'s among them
};

/// The figure that is minimised: the geometric mean over the tune workloads of the median span, in nanoseconds.
double figure_of(const std::map<std::string, Timed>& times);
double figure_of(const std::map<std::string, Nanoseconds>& times);

/// What a search is told. A look that ended early gives a bound: on what it did not reach it is taken to be no better
/// than the incumbent, since the judge saw no hope for it.
search::Outcome outcome_of(const Screened& screened, const std::map<std::string, Nanoseconds>& incumbent);

/// Screens a variant unless the log knows it, and logs it. Failures are verdicts; an Error is the machinery's.
/// A `repetition` is asked for because an earlier measurement is in doubt: it is not answered by that one.
Result<Screened> screen_logged(TuningContext& context, const Variant& variant, const Trial& about,
                               std::size_t repetition = 0);

}  // namespace hone::loop
