#pragma once
// A finished run as a person wants to read it: a summary to paste into a message, a Markdown page, and the same as
// data. In: plain values that app/ collects. Out: text. Nothing is rounded up: a speedup is always shown with its
// interval.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/confirmation.hpp"
#include "core/knowledge.hpp"
#include "core/mep.hpp"
#include "core/proposer.hpp"
#include "core/time_spent.hpp"
#include "report/shapes.hpp"

namespace hone::report {

struct ValidationLine {
  std::string command;
  bool passed = false;
  bool engaged = false;      // the application was seen to run the shipped kernel with the claimed geometry
  std::string engagement;    // what was seen, or why it could not be shown
  std::size_t launches = 0;  // that were seen
};

struct Run {
  std::string kernel, application;  // the application may be empty: a MEP alone was tuned
  std::string device;
  std::optional<Confirmation> proof;  // that the winner is faster than the original; nothing: none was found
  std::optional<Shapes> shapes;       // with several tune workloads
  Incumbent winner;
  RuleForms rules;        // that the winner's schedule is written in
  std::string rationale;  // of the winner's template
  std::vector<Attempt> attempts;
  std::vector<std::string> reasons;  // why not more, or why nothing
  std::vector<std::string> notes;    // of the patch
  std::string patch_file, diff;
  std::vector<std::string> sizes_tried;             // "n from 33 to 4096"
  std::map<std::string, std::string> launch_tiers;  // by kernel: "sizes", "adapter", "kept"
  std::optional<ValidationLine> validation;
  Fidelity fidelity;
  std::size_t evaluations = 0, failures = 0;
  int rounds = 0;
  Seconds took{0};
  bool interrupted = false;
  std::string ended;                         // why the search was over
  std::optional<Seconds> first_proof;        // from the start
  std::map<std::string, Nanoseconds> least;  // the least possible time by tune workload
  std::map<std::string, Timed> original;     // the original on the tune workloads, as screened
  TimeSpent spent;                           // all of it
};

/// About a dozen lines.
std::string summary(const Run& run);
std::string markdown(const Run& run);
nlohmann::json data(const Run& run);
/// The diff under a commit message with the table of the claim: for `git am`, and just as well for `patch -p1` and `git
/// apply`.
std::string mail(const Run& run);

/// "9.81x (9.50 to 10.1 at 99%, 30 pairs)". Where times are known they are shown too, and what is shown is their
/// quotient: "201.3 ms -> 3.820 ms, 52.7x (...)".
std::string speedup_text(const Comparison& comparison);
std::string comparison_text(const Comparison& comparison);
/// Four significant digits.
std::string time_text(Nanoseconds time);

}  // namespace hone::report
