#pragma once
// CUDA and HIP kernels where no GPU is: the judge's checks on the emulator, with threads in both orders, shared memory
// that is not zero before somebody writes it, and races looked for in every access. Answers only; a time of the
// emulator's would mean nothing, so a candidate is refused or it is not, and nothing is faster or slower.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.hpp"
#include "judge/watcher.hpp"

namespace hone::judge {

/// Threads from the last to the first, shared memory not zero.
std::map<std::string, std::string> descending_emulator_environment();

/// Each outlives the judge.
struct EmulatorPorts {
  DeviceSessions* ascending = nullptr;
  DeviceSessions* descending = nullptr;  // under descending_emulator_environment()
  DeviceSessions* watching = nullptr;    // under watching_emulator_environment()
  RaceChecker* operations = nullptr;
  std::optional<Variant> precise;
};

class EmulatedJudge {
 public:
  EmulatedJudge(const Mep& mep, EmulatorPorts ports, JudgeOptions options);
  /// E-NONDETERMINISTIC when the original's answer depends on the order of its threads.
  Status original();
  /// Behind original(): a race of its own that changed no answer.
  const std::optional<std::string>& own_race() const { return own_race_; }
  /// Why a candidate is out; nothing when it passed every check.
  Result<std::optional<Verdict>> refusal(const Variant& variant);

 private:
  using Outputs = std::map<std::string, std::map<std::string, std::vector<std::uint8_t>>>;  // by workload
  Result<Outputs> outputs(DeviceSessions& sessions) const;
  std::optional<std::string> difference(const Outputs& wanted, const Outputs& got) const;
  void watch_original();

  const Mep mep_;
  EmulatorPorts ports_;
  /// Where the original lets threads end before a barrier, a candidate may.
  class Watching final : public RaceChecker {
   public:
    explicit Watching(DeviceSessions& sessions);
    Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) override;
    std::string_view name() const override { return watcher_.name(); }
    bool diverges_by_itself = false;

   private:
    Watcher watcher_;
  };
  Watching watcher_;
  Judge ascending_, descending_;
  std::optional<std::string> own_race_;
};

}  // namespace hone::judge
