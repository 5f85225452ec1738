#pragma once
// What happened to a variant, and how two of them compare. A wrong kernel is a result, not an error.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.hpp"

namespace hone {

/// Every sample is kept. `span` is last end minus first start of one pass of the launch sequence (T_kernel); `busy` the
/// sum over its launches.
struct Timed {
  std::vector<Nanoseconds> span;
  std::vector<Nanoseconds> busy;
};
struct WrongOutput {
  std::string defence;  // the check that decided: "outputs", "awkward-size", "guard-zones", ...
  std::string reason;   // evidence in words; without values for held-out workloads
};
struct BuildFailed {
  std::string log;
};
struct LaunchFailed {
  std::string reason;
};
struct Crashed {
  std::string reason;
};
struct TimedOut {
  std::string reason;
};
/// Race, out of bounds, tampering.
struct Unsafe {
  std::string defence;
  std::string reason;
};
struct Infeasible {
  std::string reason;
};

/// Exactly one of these.
using Verdict = std::variant<Timed, WrongOutput, BuildFailed, LaunchFailed, Crashed, TimedOut, Unsafe, Infeasible>;
std::string_view name_of(const Verdict& verdict);  // "Timed", "WrongOutput", ...
/// Evidence of a failure in words; empty for Timed.
std::string reason_of(const Verdict& verdict);
std::string defence_of(const Verdict& verdict);

Nanoseconds median(std::vector<Nanoseconds> samples);
/// The papers' figure: drop the k lowest and k highest, mean of the rest.
Nanoseconds trimmed_mean(std::vector<Nanoseconds> samples, std::size_t k);

/// Of a challenger against an incumbent. `ratio` is incumbent time / challenger time: above 1 the challenger is faster.
/// Busy: others used the machine so much that no figure would be one of the kernels.
struct Comparison {
  enum class Call { Faster, Same, Slower, Unclear, Busy };
  Call call = Call::Unclear;
  double ratio = 1, low = 1, high = 1;  // interval of the ratio
  double confidence = 0.95;
  std::size_t pairs = 0;  // measured
  /// A pass of either, by the same pairs: their quotient is `ratio`. Zero over several workloads.
  Nanoseconds incumbent{0}, challenger{0};
};
std::string_view name_of(Comparison::Call call);  // "FASTER", "SAME", "SLOWER", "UNCLEAR", "BUSY"

}  // namespace hone
