#pragma once
// A finished run as a person wants to read it: a summary to paste into a message, a Markdown page, and the same as
// data. In: plain values that app/ collects. Out: text. Nothing is rounded up: a speedup is always shown with its
// interval.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/knowledge.hpp"
#include "core/mep.hpp"
#include "core/proposer.hpp"

namespace hone::report {

struct WorkloadLine {
  std::string name;
  Role role = Role::Tune;
  Nanoseconds before{0}, after{0};
  Comparison comparison;
};

struct ValidationLine {
  std::string command;
  bool passed = false;
};

struct Run {
  std::string kernel, application;  // the application may be empty: a MEP alone was tuned
  std::string device;
  bool faster = false;  // proven
  Incumbent winner;
  std::string rationale;  // of the winner's template
  Comparison comparison;  // over the tune workloads
  std::vector<WorkloadLine> workloads;
  std::vector<std::string> checks;  // "outputs on 3 workloads with 2 seeds each", ...
  std::vector<Attempt> attempts;
  std::vector<std::string> reasons;  // why not more, or why nothing
  std::vector<std::string> notes;    // of the patch
  std::string patch_file, diff;
  std::optional<ValidationLine> validation;
  Fidelity fidelity;
  std::size_t evaluations = 0, failures = 0;
  int rounds = 0;
  Seconds took{0};
  bool interrupted = false;
};

/// About a dozen lines.
std::string summary(const Run& run);
std::string markdown(const Run& run);
nlohmann::json data(const Run& run);

/// "9.81x (9.50 to 10.10 at 95%, 30 pairs)"
std::string speedup_text(const Comparison& comparison);
std::string time_text(Nanoseconds time);

}  // namespace hone::report
