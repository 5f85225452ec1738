#pragma once
// Two builds timed in turn, each in a worker of its own: visits of a few runs, one to each, until the call is clear or
// the effort is spent. The parent's clock watches the same visits, and what other programs took from them is seen.

#include <random>
#include <span>

#include "judge/clocks.hpp"
#include "judge/contention.hpp"
#include "judge/renewing_session.hpp"
#include "judge/statistics.hpp"
#include "judge/timed_outputs.hpp"

namespace hone::judge {

/// A failure of the incumbent is no verdict on the challenger.
Error not_the_challengers(const Stop& why);

class PairedTiming {
 public:
  /// What is timed, loaded already.
  struct Program {
    RenewingSession& session;
    Built built;
    std::vector<ConcreteLaunch> launches;
    TimedOutputs outputs;
  };
  struct Options {
    CompareOptions compare;
    Effort::Limits effort;
    std::size_t least_runs = 2;  // of a short visit; every other one has twice as many
    bool restore = false;
    bool parent_clock = true;
    Seconds patience{10};  // what is unclear after this long is not worth more of a person's time
    double figure_within =
        0;  // a clear call is measured on while its interval spans more than this ratio; 0: the call is enough
  };
  PairedTiming(Program incumbent, Program challenger, const Options& options);

  /// Until the call is clear and the clocks agree, or the effort is spent.
  Checked<Comparison> measure();
  /// After measuring: what the parent's clock says against the challenger's samples.
  const std::optional<std::string>& clock_fault() const { return clock_fault_; }
  const Timed& incumbents_times() const { return incumbent_.timed; }
  const Timed& challengers_times() const { return challenger_.timed; }

 private:
  struct Side {
    Program program;
    Nanoseconds pass{0};                    // before anything was compared
    std::size_t runs = 0;                   // of a short visit
    std::vector<Nanoseconds> sampled = {};  // as the device said
    Timed timed = {};                       // as it would have been alone
    Clocks clocks = {};
  };
  Checked<std::monostate> pace(Side& side);
  void balance(Side& side, const Side& other) const;
  Checked<std::monostate> take_pair();
  Checked<Undisturbed> visit(Side& side, std::size_t runs);
  std::optional<std::string> disagreement_now();

  Options options_;
  Side incumbent_, challenger_;
  Clocks restoring_;
  std::vector<Pair> pairs_;
  std::vector<double> served_;  // of each pair, by the side that got less
  /// Nobody who knows the options of a run may foresee how long the next visit is.
  std::random_device coin_;
  bool long_next_ = false;
  std::optional<std::string> clock_fault_;
};

}  // namespace hone::judge
