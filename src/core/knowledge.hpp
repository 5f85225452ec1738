#pragma once
// What is measured and learned: Profile m(x), Suggestion g = A(m), Trial, Pattern. Plain records that travel as values
// between the stages and into the log.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "core/space.hpp"
#include "core/verdict.hpp"

namespace hone {

struct Profile {
  Nanoseconds time{0};
  std::map<std::string, double> numbers;     // "gflops", "gbytes_per_s", "share_of_bandwidth", "local_bytes", ...
  std::vector<std::string> access_patterns;  // one sentence per access that matters
};

enum class SuggestionKind { Parallelism, Locality, Traffic, Coalescing, Balance };
std::string_view name_of(SuggestionKind kind);

struct Suggestion {
  SuggestionKind kind = SuggestionKind::Locality;
  std::string target;    // a loop, an access, a buffer
  std::string evidence;  // the measurement behind it
  std::string sentence;  // what to do
};

struct Trial {
  std::string run;      // the run it belongs to
  std::string variant;  // hash_of
  std::string workload;
  std::string device;    // name and driver
  std::string proposer;  // "rules", "person", "model:NAME"
  std::string template_name;
  std::string rationale;
  Configuration configuration;
  Verdict verdict;
  int round = 0;
  bool censored = false;  // stopped early: a Timed verdict is then only what it takes at least
};

/// A change that paid off, on what kind of code, where, and the trial that proves it.
struct Pattern {
  std::string change;  // the schedule, or the name and rationale of a source template
  std::string code;    // signature of the kind of code: loop depth, access strides, types
  std::string device;
  double ratio = 1, low = 1, high = 1;
  std::string trial;
  Configuration configuration;
  std::string source = {};  // of the winner, when no schedule tells how it is made
};

}  // namespace hone
