#pragma once
// The TrialLog over one SQLite file. A trial is written in one transaction before anyone hears of it, so a kill at any
// point loses at most the trial that was still running. Each trial's digest covers the one before it: a record that was
// changed or removed behind SQLite's back is found by check_log.

#include <memory>
#include <string>
#include <vector>

#include "core/trial_log.hpp"

namespace hone::store {

/// Opens or makes the file, and brings an older one to the present tables.
Result<std::unique_ptr<TrialLog>> open_trial_log(const std::string& path);

/// Empties the log: every run and trial goes, the patterns too when `patterns` says so. The file stays sound.
Status forget_trials(const std::string& path, bool patterns);

struct LogReport {
  std::int64_t schema = 0, runs = 0, trials = 0, patterns = 0;
  std::vector<std::string> problems;  // empty: sound
};
/// Reads all of it and changes nothing.
Result<LogReport> check_log(const std::string& path);

}  // namespace hone::store
