#pragma once
// The RaceChecker over sessions on a device that watches every access: oclgrind for OpenCL, the emulator for CUDA and
// HIP. Such a device says that all went well; what it saw stands in its log, which its sessions are set up to print.

#include <map>
#include <memory>

#include "judge/race_checker.hpp"

namespace hone::judge {

/// Variables of the environment under which a worker opens oclgrind and nothing else, with the log where kernels print.
std::map<std::string, std::string> oclgrind_environment();

/// Under which the emulator watches for races; its threads run from the last to the first, its shared memory is not
/// zero.
std::map<std::string, std::string> watching_emulator_environment();

/// The first finding of an oclgrind log, with the source line it names.
std::optional<std::string> first_finding(const std::string& log);
/// The first race or divergent barrier the emulator tells of.
std::optional<std::string> first_race(const std::string& log);

class Watcher final : public RaceChecker {
 public:
  using Finding = std::optional<std::string> (*)(const std::string& log);
  /// `sessions` start workers under oclgrind_environment(), or under the other with `finding` = first_race. `limit` is
  /// for one variant; each that does not end within it halves it for the next, since a kernel that is too much for the
  /// watcher mostly stays so, and a run has other things to do with its time.
  explicit Watcher(DeviceSessions& sessions, Milliseconds limit = Milliseconds(60'000), Finding finding = first_finding)
      : sessions_(sessions), limit_(limit), finding_(finding) {}
  Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) override;
  std::string_view name() const override { return finding_ == first_race ? "the emulator" : "oclgrind"; }

 private:
  DeviceSessions& sessions_;
  Milliseconds limit_;
  Finding finding_;
  std::unique_ptr<DeviceSession> session_;
};

}  // namespace hone::judge
