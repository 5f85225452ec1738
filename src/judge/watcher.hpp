#pragma once
// The RaceChecker over sessions on oclgrind, an OpenCL device that watches every access. It always says that all went
// well; what it saw stands in its log, which its sessions are set up to print.

#include <map>
#include <memory>

#include "judge/race_checker.hpp"

namespace hone::judge {

/// Variables of the environment under which a worker opens oclgrind and nothing else, with the log where kernels print.
std::map<std::string, std::string> oclgrind_environment();

class OclgrindWatcher final : public RaceChecker {
 public:
  /// `sessions` start workers under oclgrind_environment().
  explicit OclgrindWatcher(DeviceSessions& sessions, Milliseconds limit = Milliseconds(60'000))
      : sessions_(sessions), limit_(limit) {}
  Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) override;

 private:
  DeviceSessions& sessions_;
  Milliseconds limit_;
  std::unique_ptr<DeviceSession> session_;
};

/// The first finding of an oclgrind log, with the source line it names.
std::optional<std::string> first_finding(const std::string& log);

}  // namespace hone::judge
