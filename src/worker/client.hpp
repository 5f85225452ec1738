#pragma once
// The parent's side of a worker: starts hone-worker (here, or through a prefix like "ssh gpu01"), asks one thing at a
// time under a wall-time limit, and tells a crash, a hang and a lack of memory apart. A lost session stays lost:
// whoever uses it starts another.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/device_session.hpp"
#include "os/sandbox_report.hpp"

namespace hone::worker {

class CompiledPrograms;

struct WorkerOptions {
  /// The program and its arguments; a prefix may stand before it. Empty: the hone-worker beside this program.
  std::vector<std::string> command;
  /// Added to the environment of that command; the worker itself sees only what concerns runtimes and compilers.
  std::map<std::string, std::string> environment;
  std::string device;                     // empty: the first one
  Bytes memory{std::uint64_t{4} << 30U};  // of the worker process; 0: not limited
  Milliseconds start_limit{20000}, limit{60000};
  /// Several sessions share what was compiled once; none: each compiles for itself.
  std::shared_ptr<CompiledPrograms> compiled;
};

std::vector<std::string> command_of(const WorkerOptions& options);

class WorkerSessions final : public DeviceSessions {
 public:
  explicit WorkerSessions(WorkerOptions options) : options_(std::move(options)) {}
  Result<std::unique_ptr<DeviceSession>> start() override;

 private:
  WorkerOptions options_;
};

struct Inventory {
  std::vector<DeviceInfo> devices;
  os::SandboxReport sandbox;  // as it holds for workers started with these options
};
Result<Inventory> take_inventory(const WorkerOptions& options);

}  // namespace hone::worker
