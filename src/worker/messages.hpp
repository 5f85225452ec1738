#pragma once
// What is asked of a worker and what it answers, as values; to and from frames. Reading checks every field: a frame
// that does not fit is an E-PROTOCOL error, whoever sent it.

#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "core/compiled_form.hpp"
#include "core/device_session.hpp"
#include "os/sandbox_report.hpp"
#include "worker/frame.hpp"

namespace hone::worker {

/// Comes first: which device, under which limits.
struct Hello {
  std::string device;  // empty: the first one
  Bytes memory{0};     // 0: not limited
};
struct ListDevices {};
struct Build {
  std::string source;
  std::vector<std::string> options;
};
struct BuildAll {
  std::vector<DeviceSession::BuildRequest> builds;
};
/// Only compiles; the answer is what another process needs in order not to.
struct Compile {
  std::string source;
  std::vector<std::string> options;
};
/// Later builds find it.
struct Provide {
  CompiledForm form;
};
struct Load {
  std::vector<BufferData> buffers;
  std::vector<ImageData> images;
};
struct Run {
  std::string build;
  std::vector<ConcreteLaunch> launches;
  std::vector<std::string> wanted;
};
struct Time {
  std::string build;
  std::vector<ConcreteLaunch> launches;
  std::size_t runs = 1;
  bool restore = false;
  std::vector<std::string> outputs;  // hashed after each run
};
struct Read {
  std::vector<std::string> wanted;
  std::vector<std::string> hashed = {};  // told as hashes only
};
using Question = std::variant<Hello, ListDevices, Build, BuildAll, Compile, Provide, Load, Run, Time, Read>;

struct Request {
  std::uint64_t number = 0;  // comes back with the answer
  Milliseconds limit{0};     // wall time the parent will wait
  Question question;
};

struct Welcome {
  DeviceInfo device;
  os::SandboxReport sandbox;
};
struct Devices {
  std::vector<DeviceInfo> devices;
  os::SandboxReport sandbox;
};
struct BuildsDone {
  std::vector<std::variant<Built, NotBuilt>> builds;
};
struct Compiled {
  CompiledForm form;  // empty: this device's runtime keeps nothing that travels
};
struct Provided {};
struct Loaded {};
/// The request could not be understood or served at all: a fault of the two programs, not of a candidate.
struct Refused {
  std::string code, message;
};
using Answer = std::variant<Welcome, Devices, Built, NotBuilt, BuildsDone, Compiled, Provided, Loaded, Ran, TimesTaken,
                            NotLaunched, Refused>;

struct Reply {
  std::uint64_t number = 0;
  Answer answer;
};

Frame to_frame(Request request);
Result<Request> request_from(Frame frame);
Frame to_frame(Reply reply);
Result<Reply> reply_from(Frame frame);

}  // namespace hone::worker
