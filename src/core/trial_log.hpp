#pragma once
// The memory of Hone as the loop sees it: an append-only log of trials, runs that can be resumed, verdicts found again
// by content, and patterns. store/ implements it over SQLite; tests may fake it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/knowledge.hpp"

namespace hone {

/// What makes a run the same run: the next call with an equal key goes on where this one ended.
struct RunKey {
  std::string mep;      // hash of the Mep
  std::string options;  // those that change what is tried or how it is judged, as text
  std::uint64_t seed = 1;
  std::string device;
};
/// The id of the run; equal keys give equal ids.
std::string hash_of(const RunKey& key);

/// What a verdict depends on. `protocol` names how it was reached ("screen-3", "judge-1"); whoever wants a second
/// measurement of the same variant asks under another protocol.
struct VerdictKey {
  std::string source;   // hash_of the Variant: source, launches and options
  std::string options;  // of the build, joined
  std::string workload;
  std::string device, driver;
  std::string protocol;
};
std::string hash_of(const VerdictKey& key);

struct LoggedTrial {
  std::string id;
  Trial trial;
  VerdictKey key;
};

class TrialLog {
 public:
  virtual ~TrialLog() = default;
  /// Opens the run of this key, or makes it. Returns its id.
  virtual Result<std::string> open_run(const RunKey& key) = 0;
  /// Durable when it returns. Once per (run, key): a second append of the same returns the first one's id.
  virtual Result<std::string> append(const Trial& trial, const VerdictKey& key) = 0;
  /// The latest trial of any run under this key.
  virtual Result<std::optional<LoggedTrial>> lookup(const VerdictKey& key) = 0;
  /// In the order they were appended.
  virtual Result<std::vector<LoggedTrial>> trials(const std::string& run) = 0;
  virtual Status record(const Pattern& pattern) = 0;
  virtual Result<std::vector<Pattern>> patterns() = 0;
};

}  // namespace hone
