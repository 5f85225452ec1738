#pragma once
// One device as the worker drives it: programs, data with guard zones, launches with their times. Linked into
// hone-worker only; each kind of device is a folder beside this file. Not thread-safe: one request at a time.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "core/compiled_form.hpp"
#include "core/device_session.hpp"

namespace hone::device {

/// A buffer with its first contents. Poisoned ones come with the poison pattern as contents.
struct BufferContents {
  std::string name;
  std::span<const std::uint8_t> bytes;
  std::size_t watched = 0;  // as BufferData has it
  bool only_read = false;   // likewise: need not be restored
  std::string hash = {};    // of the bytes, where it is known: what is on the device already may then stay
};
struct ImageContents {
  ImageData image;
  std::vector<std::uint8_t> bytes;  // rows of pixels without padding
};

struct PassTimes {
  Nanoseconds span{0}, busy{0};
};

struct BuildLog {
  std::string text;
};
/// Resources of each kernel of a program that built, or what the compiler said.
using BuildResult = std::variant<std::vector<KernelResources>, BuildLog>;

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  /// `id` names the program from now on; building an id again replaces it.
  virtual BuildResult build(const std::string& id, const std::string& source,
                            const std::vector<std::string>& options) = 0;
  /// For a process of the same runtime elsewhere, which then need not compile; empty where there is no such thing.
  virtual CompiledForm form_of_last_build() { return {}; }
  /// What another process compiled: a build of the same source and options takes it.
  virtual void provide(const CompiledForm& /*form*/) {}
  virtual bool has_program(const std::string& id) const = 0;
  /// Replaces all data. Old data is released only after the new has its addresses; a buffer that is only read and still
  /// holds the bytes of its hash may stay.
  virtual Status load(const std::vector<BufferContents>& buffers, const std::vector<ImageContents>& images) = 0;
  /// Puts the contents of `load` back, guard zones included, but for what is only read.
  virtual Status restore() = 0;
  /// All launches in order, waited for. E-LAUNCH says which launch was refused and why.
  virtual Result<PassTimes> pass(const std::string& id, const std::vector<ConcreteLaunch>& launches) = 0;
  virtual Result<std::vector<std::uint8_t>> read(const std::string& name) = 0;
  /// hash_of_bytes() of what read() would give.
  virtual Result<std::string> hash(const std::string& name) {
    return read(name).map([](const std::vector<std::uint8_t>& bytes) { return hash_of_bytes(bytes); });
  }
  /// Names of buffers whose guard zones no longer hold what was put there.
  virtual Result<std::vector<std::string>> broken_guards() = 0;
  /// How far watched buffers were left since the last restore.
  virtual std::map<std::string, Strayed> strayed() { return {}; }
  /// Why nothing more can be had of this device in this process; the process is then replaced.
  virtual std::optional<std::string> lost() const { return std::nullopt; }
};

/// Before the first of the functions below, in a process that takes times. Left to the scheduler, two threads of a
/// device that is the host's processor can share one core for as long as the process lives, and every kernel then takes
/// twice its time.
void keep_threads_apart();

/// Devices that this machine has, whatever the vendor; empty when no runtime is installed.
std::vector<DeviceInfo> list_devices();
/// A line for each kind of device: those that are here, or what is missing for it.
std::vector<std::string> describe_kinds();
/// `id` as listed; "cuda" takes the first of that kind, empty the first of all, "sm_86" only compiles. E-DEVICE names
/// what there is.
Result<std::unique_ptr<Device>> open_device(const std::string& id);

}  // namespace hone::device
