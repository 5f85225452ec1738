#pragma once
// Answers requests with one device. No descriptors and no threads here: serve.hpp puts it on the wire, tests call it.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "device/device.hpp"
#include "os/processor_use.hpp"
#include "worker/messages.hpp"

namespace hone::worker {

struct Opened {
  std::unique_ptr<device::Device> device;
  os::SandboxPart memory;  // whether its memory limit holds
};

/// What the service needs of the process it lives in.
struct Surroundings {
  os::SandboxReport sandbox;
  /// Opens the device of a Hello and puts its memory limit into force.
  std::function<Result<Opened>(const Hello&)> open;
  std::function<std::vector<DeviceInfo>()> list;
  /// What kernels printed since the last call, cut.
  std::function<std::string()> take_printed;
  /// Watches the threads of this process from now on: each call tells what they used since the one before. May be
  /// empty, and so may what it returns.
  std::function<std::function<os::ProcessorUse()>()> watch_threads;
  /// Builds and launches beforehand elsewhere, so that what is built here afterwards is found in a cache; may be empty.
  std::function<void(const Hello&, const Load&, const std::vector<DeviceSession::BuildRequest>&)> warm;
};

class Service {
 public:
  explicit Service(Surroundings surroundings) : around_(std::move(surroundings)) {}
  Answer answer(Question question);

 private:
  Answer on(const Hello& hello);
  Answer on(const ListDevices&);
  Answer on(const Build& build);
  Answer on(const BuildAll& builds);
  Answer on(const Load& load);
  Answer on(const Run& run);
  Answer on(const Time& time);
  Answer on(const Read& read);
  std::variant<Built, NotBuilt> build(const std::string& source, const std::vector<std::string>& options);
  Status restore_if_changed();

  Surroundings around_;
  std::unique_ptr<device::Device> device_;
  Hello hello_;
  Load loaded_;                         // what the device holds, when others can be given the same
  std::map<std::string, Built> built_;  // by source hash: nothing is built twice
  bool changed_ = false;                // a kernel ran since the data was last as loaded
};

}  // namespace hone::worker
