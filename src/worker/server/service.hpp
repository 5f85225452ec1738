#pragma once
// Answers requests with one device. No descriptors and no threads here: serve.hpp puts it on the wire, tests call it.

#include <functional>
#include <map>
#include <memory>
#include <span>
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
  /// The device is lost for good: ends the process with these words, so that whoever asked starts another. May be
  /// empty.
  std::function<void(const std::string& why)> give_up;
};

class Service {
 public:
  explicit Service(Surroundings surroundings) : around_(std::move(surroundings)) {}
  Answer answer(Question question);

 private:
  struct Contents {
    std::span<const std::uint8_t> bytes;
    std::string hash;  // empty: nobody asked yet
  };
  Answer on(const Hello& hello);
  Answer on(const ListDevices&);
  Answer on(const Build& build);
  Answer on(const BuildAll& builds);
  Answer on(const Compile& compile);
  Answer on(const Provide& provide);
  Answer on(const Load& load);
  Answer on(const Run& run);
  Answer on(const Time& time);
  Answer on(const Read& read);
  std::variant<Built, NotBuilt> build(const std::string& source, const std::vector<std::string>& options);
  Status restore_if_changed();
  /// Made once for each type, count, fill and seed, and kept while there is room.
  Result<Contents> contents(const BufferData& buffer);
  /// For so many bytes, without touching what the load of number `but` uses: what was not used for longest goes first.
  void make_room(std::size_t more, std::uint64_t but);

  Surroundings around_;
  std::unique_ptr<device::Device> device_;
  Hello hello_;
  Load loaded_;                         // what the device holds, when others can be given the same
  std::map<std::string, Built> built_;  // by source hash: nothing is built twice
  struct Made {
    std::vector<std::uint8_t> bytes;
    std::string hash;
    std::uint64_t used = 0;  // by the load of that number
  };
  std::map<std::string, Made> made_;
  std::uint64_t loads_ = 0;
  bool changed_ = false;  // a kernel ran since the data was last as loaded
  struct LastTimed {
    std::string build;
    std::vector<ConcreteLaunch> launches;
    Nanoseconds pass{0};
  };
  LastTimed timed_;  // on the data that is loaded
};

}  // namespace hone::worker
