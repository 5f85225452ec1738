#pragma once
// What Hone keeps on disk between runs, how much of it there is, and how it is given up. The log of trials is one
// chain: it goes as a whole or not at all. Patterns are what was learned from it and stay unless everything goes.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone::store {

struct StateGroup {
  std::string name;  // "trials", "reports", "recordings", "measurements", "locks"
  std::size_t files = 0;
  Bytes size{0};
};
/// In the order of their names; groups without files are left out. An absent folder is empty.
Result<std::vector<StateGroup>> state_in(const std::string& folder);

struct CleanWish {
  bool all = false;                   // everything, patterns too
  std::optional<Seconds> older_than;  // what was not written for so long
  std::optional<Bytes> until_below;   // the oldest first, until the rest is smaller
  bool pretend = false;               // only say what would go
};
struct Cleaned {
  std::vector<std::string> removed;  // files, and "trials" for the log's trials
  Bytes size{0};
};
/// A run that is under way goes on: its log is emptied, not taken away.
Result<Cleaned> clean_state(const std::string& folder, const CleanWish& wish);

/// "500M", "2G", "64K" or bytes; E-SIZE otherwise.
Result<Bytes> parse_size(const std::string& text);
/// "30d", "12h", "45m"; E-AGE otherwise.
Result<Seconds> parse_age(const std::string& text);

}  // namespace hone::store
