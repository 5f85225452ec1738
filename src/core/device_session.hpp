#pragma once
// How candidate code is run. A DeviceSession is one device in one sandboxed process; worker/ implements it over the
// framed protocol, judge/ and mep/ code against it, tests fake it. Expected outputs never travel towards the worker.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "core/expression.hpp"
#include "core/mep.hpp"

namespace hone {

struct DeviceInfo {
  std::string id;  // what --device takes: "opencl:0:0"
  std::string name, driver;
  std::string kind;  // "cpu", "gpu"
  /// What expressions see as `device.*`: max_work_group_size, local_bytes, compute_units, global_bytes, cache_bytes,
  /// ...
  std::map<std::string, Value> facts;
};
/// `device.*` names of an expression.
Expression::Environment device_environment(const DeviceInfo& device);

/// One buffer as the device holds it. The worker fills it with the generator and the seed, with guard zones around it.
struct BufferData {
  std::string name, type;  // element type; structs are given as bytes ("uchar")
  std::size_t count = 0;
  std::string fill;
  std::uint64_t seed = 1;
  bool poison = false;  // contents are overwritten with a pattern before each run: the kernels only write it
  std::vector<std::uint8_t> contents;  // captured data: used instead of the generator when not empty
  /// Bytes before and after it that may be touched without harm and are watched: see Ran::strayed. Only where the
  /// device shares this memory; elsewhere nothing is told.
  std::size_t watched = 0;
  std::string made_as = {};  // the generator makes this type, and its values are converted; empty: `type` itself
  /// K(0) only reads it: what is found as it was is neither put back before a run nor made again for the next load.
  bool only_read = false;
};
struct ImageData {
  std::string name, channel_order, channel_type;
  std::size_t width = 1, height = 1;
  std::string fill;
  std::uint64_t seed = 1;
  std::string kind = "2d";
  std::size_t depth = 1;
};

struct ArgumentValue {
  ArgumentSpec::Kind kind = ArgumentSpec::Kind::Scalar;
  std::string text;                 // buffer or image name; sampler description
  std::vector<std::uint8_t> bytes;  // scalar or struct, as the kernel takes it
  std::size_t local_bytes = 0;
  bool operator==(const ArgumentValue&) const = default;
};
/// A launch with every size and argument known.
struct ConcreteLaunch {
  std::string kernel;
  std::vector<ArgumentValue> arguments;
  std::vector<std::size_t> global, local, offset;  // local empty: the runtime chooses
  bool operator==(const ConcreteLaunch&) const = default;
};

struct KernelResources {
  std::string kernel;
  std::map<std::string, std::int64_t>
      numbers;  // local_bytes, private_bytes, work_group_size, preferred_multiple, registers
};

/// What goes into a build, as one hash: whoever asks can compare it with what the worker says it built.
inline std::string source_hash(const std::string& source, const std::vector<std::string>& options) {
  std::string all = source;
  for (const auto& option : options) all += '\0' + option;
  return content_hash(all);
}

struct Built {
  std::string id;           // names the program in later requests
  std::string source_hash;  // source_hash() of what the worker saw
  std::vector<KernelResources> kernels;
  Milliseconds took{0};
};
struct NotBuilt {
  std::string log;
};
inline std::string hash_of_bytes(std::span<const std::uint8_t> bytes) {
  return content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}
/// Several outputs as one hash, in the order of the request.
class OutputHash {
 public:
  void add(const std::string& hash_of_one) { all_ += hash_of_one; }
  std::string value() const { return content_hash(all_); }

 private:
  std::string all_;
};

/// The process ended or was ended: the request's answer is this, and the session must be replaced.
struct WorkerLost {
  enum class Cause { Crashed, TimedOut, Memory };
  Cause cause = Cause::Crashed;
  std::string reason;
};
struct NotLaunched {
  std::string reason;
};

/// How far a kernel touched memory outside of a buffer, reads too; in bytes, to the page.
struct Strayed {
  std::size_t before = 0, after = 0;
};

struct Ran {
  std::map<std::string, std::vector<std::uint8_t>> outputs;  // by buffer or image name, those asked for
  std::vector<std::string> broken_guards;                    // buffers whose guard zones were written
  std::string printed;                                       // what the kernels printed, cut
  Nanoseconds span{0};                                       // the pass, caches cold; zero when nothing ran
  std::map<std::string, Strayed> strayed;                    // watched buffers that were left, and how far
  std::map<std::string, std::string> hashes = {};            // of the contents of those asked for so
};
struct TimesTaken {
  std::vector<Nanoseconds> span, busy;
  std::string source_hash;
  /// The whole request by the parent's clock. (W(2n) - W(n)) / n of two requests that do not restore must agree with
  /// the samples; the time of restoring is that of a request without launches.
  Nanoseconds wall{0};
  /// Processor time of the worker during the request, and how long its threads stood ready while others had the
  /// processors, by the kernel's account seen from outside; zero when not known. The second only of a device that is
  /// the host's processor: elsewhere nobody waits for those threads.
  Nanoseconds cpu{0}, waiting{0};
  /// The same of each pass, of the threads that do the work, as the worker saw it. Empty when not known: on a device
  /// that is not the host's processor, or where the system keeps no such account.
  std::vector<Nanoseconds> ran, waited;
  /// One for each run: OutputHash of the outputs that were asked about, as this run left them.
  std::vector<std::string> output_hashes;
};

using BuildOutcome = std::variant<Built, NotBuilt, WorkerLost>;
using LoadOutcome = std::variant<std::monostate, NotLaunched, WorkerLost>;
using RunOutcome = std::variant<Ran, NotLaunched, WorkerLost>;
using TimeOutcome = std::variant<TimesTaken, NotLaunched, WorkerLost>;

class DeviceSession {
 public:
  virtual ~DeviceSession() = default;
  virtual const DeviceInfo& device() const = 0;
  /// Wall time of each later request; one that passes it costs the session (WorkerLost, TimedOut).
  virtual void limit(Milliseconds /*wall*/) {}
  virtual BuildOutcome build(const std::string& source, const std::vector<std::string>& options) = 0;
  /// Replaces all data, contents from the generators: fresh addresses but for what is only read and still as it was.
  virtual LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images) = 0;
  /// One pass over the launches from restored inputs; returns the buffers and images named.
  virtual RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                         const std::vector<std::string>& wanted) = 0;
  /// `runs` passes, only launching; inputs are restored before each pass when `restore` is set. One warm-up pass is not
  /// counted. What each pass leaves in `outputs` is hashed, outside of the times.
  virtual TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                           bool restore, const std::vector<std::string>& outputs) = 0;
  /// What the buffers hold now, without running anything: outputs are looked at after timing too.
  virtual RunOutcome read(const std::vector<std::string>& wanted) = 0;
  /// The same as hashes: large inputs need not travel to be found unchanged.
  virtual RunOutcome hashes(const std::vector<std::string>& wanted) {
    auto outcome = read(wanted);
    if (auto* ran = std::get_if<Ran>(&outcome))
      for (auto& [name, bytes] : std::exchange(ran->outputs, {})) ran->hashes[name] = hash_of_bytes(bytes);
    return outcome;
  }
  /// Several builds at once, on all cores where the device allows it; one outcome for each, in order.
  struct BuildRequest {
    std::string source;
    std::vector<std::string> options;
    /// Sizes that will be launched: a runtime that compiles at the first launch of a size does it here.
    std::vector<ConcreteLaunch> launches;
  };
  virtual std::vector<BuildOutcome> build_all(const std::vector<BuildRequest>& requests) {
    std::vector<BuildOutcome> outcomes;
    outcomes.reserve(requests.size());
    for (const auto& request : requests) outcomes.push_back(build(request.source, request.options));
    return outcomes;
  }
};

/// Starts sessions: each call is a fresh process with fresh caches.
class DeviceSessions {
 public:
  virtual ~DeviceSessions() = default;
  virtual Result<std::unique_ptr<DeviceSession>> start() = 0;
};

}  // namespace hone
