#pragma once
// A device without a device: programs are C++ functions that the fake finds by their source text. What they do to the
// buffers, how long they claim to take and how they end is up to each test.

#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"
#include "inputs/generator.hpp"

namespace hone::judge {

using Memory = std::map<std::string, std::vector<float>>;

struct FakeProgram {
  /// One pass over the launches; `n` is the number of elements.
  std::function<void(Memory&, int n)> run = [](Memory&, int) {};
  std::function<Nanoseconds()> takes = [] { return Nanoseconds(1e6); };
  double honest = 1;        // the parent's clock sees takes() * honest
  int threads = 2;          // that a pass keeps busy
  double claimed_wait = 1;  // of what it really waited
  std::optional<WorkerLost> dies = std::nullopt;
  std::string broken_guard = {};
  bool other_hash = false;
};

/// Other programs take turns with the device's threads, each of which gets so much of its processor: all of it within a
/// time slice, `share` of it in the long run.
struct FakeLoad {
  double share = 1;
  Nanoseconds slice{3e6};
  Nanoseconds stretched(Nanoseconds alone) const { return alone <= slice ? alone : slice + (alone - slice) / share; }
};

struct FakeMachine {
  std::optional<FakeLoad> load;                 // a device that is the host's processor, beside others
  std::map<std::string, FakeProgram> programs;  // by source
  int started = 0;
  int timed = 0;              // requests
  int read = 0;               // requests for outputs that were run before
  int lost_from_outside = 0;  // so many requests find their process gone
  Milliseconds limit{0};      // of the last request that had one
};

class FakeSession final : public DeviceSession {
 public:
  explicit FakeSession(FakeMachine& machine) : machine_(machine) {
    info_.id = "fake";
    info_.kind = machine.load ? "cpu" : "gpu";
    info_.facts["compute_units"] = std::int64_t{2};
    info_.facts["max_work_group_size"] = std::int64_t{256};
  }
  const DeviceInfo& device() const override { return info_; }
  void limit(Milliseconds wall) override { machine_.limit = wall; }

  BuildOutcome build(const std::string& source, const std::vector<std::string>& options) override {
    const auto found = machine_.programs.find(source);
    if (found == machine_.programs.end()) return NotBuilt{"no such program"};
    const auto hash = found->second.other_hash ? std::string("stale") : source_hash(source, options);
    return Built{source, hash, {}, Milliseconds(0)};
  }
  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>&) override {
    first_.clear();
    for (const auto& buffer : buffers) {
      auto& values = first_[buffer.name];
      values.resize(buffer.count);
      auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
      const std::span<std::uint8_t> span(bytes, values.size() * sizeof(float));
      inputs::fill(*inputs::parse_generator(buffer.fill), *element_type("float"), buffer.seed, 0, span);
      if (buffer.poison) std::ranges::fill(span, inputs::kPoison);
      wide_[buffer.name] = buffer.type == "double";
      if (!buffer.contents.empty()) values = given(buffer);
    }
    now_ = first_;
    return std::monostate{};
  }
  RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                 const std::vector<std::string>& wanted) override {
    if (machine_.lost_from_outside > 0) {
      --machine_.lost_from_outside;
      return WorkerLost{WorkerLost::Cause::Crashed, "killed"};
    }
    const auto& program = machine_.programs.at(build);
    if (program.dies) return *program.dies;
    now_ = first_;
    pass(program, launches);
    auto ran = left(program, wanted);
    ran.span = program.takes();
    return ran;
  }
  TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                   bool restore, const std::vector<std::string>& outputs) override {
    const auto& program = machine_.programs.at(build);
    ++machine_.timed;
    TimesTaken taken;
    taken.source_hash = source_hash(build, {});
    for (std::size_t i = 0; i <= runs; ++i) {
      if (restore) now_ = first_;
      pass(program, launches);
      if (i == 0) continue;
      const auto alone = launches.empty() ? Nanoseconds(0) : program.takes();
      taken.span.push_back(machine_.load ? machine_.load->stretched(alone) : alone);
      taken.wall += taken.span.back() * program.honest;
      OutputHash hash;
      for (auto& [name, bytes] : left(program, outputs).outputs) hash.add(hash_of_bytes(bytes));
      taken.output_hashes.push_back(hash.value());
      if (!machine_.load) continue;
      const auto ran = alone * program.threads, waited = (taken.span.back() - alone) * program.threads;
      taken.ran.push_back(ran);
      taken.waited.push_back(waited * program.claimed_wait);
      taken.cpu += ran;
      taken.waiting += waited;
    }
    taken.busy = taken.span;
    return taken;
  }
  RunOutcome read(const std::vector<std::string>& wanted) override {
    ++machine_.read;
    return left({}, wanted);
  }
  RunOutcome hashes(const std::vector<std::string>& wanted) override {
    auto ran = left({}, wanted);
    for (auto& [name, bytes] : std::exchange(ran.outputs, {})) ran.hashes[name] = hash_of_bytes(bytes);
    return ran;
  }

 private:
  /// Programs here know floats only: doubles are rounded on their way in and widened on their way out.
  static std::vector<float> given(const BufferData& buffer) {
    std::vector<float> values(buffer.count);
    for (std::size_t i = 0; i < buffer.count; ++i) {
      double value = 0;
      if (buffer.type == "double") {
        std::memcpy(&value, buffer.contents.data() + i * sizeof value, sizeof value);
        values[i] = static_cast<float>(value);
      } else {
        std::memcpy(&values[i], buffer.contents.data() + i * sizeof(float), sizeof(float));
      }
    }
    return values;
  }
  template <class T>
  static std::vector<std::uint8_t> bytes_of(const std::vector<float>& values) {
    std::vector<std::uint8_t> out;
    for (const T value : values) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
      out.insert(out.end(), bytes, bytes + sizeof value);
    }
    return out;
  }
  void pass(const FakeProgram& program, const std::vector<ConcreteLaunch>& launches) {
    if (!launches.empty()) program.run(now_, static_cast<int>(now_.at("out").size()));
  }
  Ran left(const FakeProgram& program, const std::vector<std::string>& wanted) const {
    Ran ran;
    for (const auto& name : wanted) {
      const auto& values = now_.at(name);
      ran.outputs[name] = wide_.at(name) ? bytes_of<double>(values) : bytes_of<float>(values);
    }
    if (!program.broken_guard.empty()) ran.broken_guards.push_back(program.broken_guard);
    return ran;
  }

  FakeMachine& machine_;
  DeviceInfo info_;
  Memory first_, now_;
  std::map<std::string, bool> wide_;
};

class FakeSessions final : public DeviceSessions {
 public:
  explicit FakeSessions(FakeMachine& machine) : machine_(machine) {}
  Result<std::unique_ptr<DeviceSession>> start() override {
    ++machine_.started;
    return std::make_unique<FakeSession>(machine_);
  }

 private:
  FakeMachine& machine_;
};

/// out[i] = 2 * in[i], on 64, 96 and 37 elements. K(0) is the program "k0".
inline Mep doubling() {
  Mep mep;
  mep.name = "doubling";
  mep.source = "k0";
  mep.buffers = {{"in", "float", Expression::name("n"), "uniform(-1,1)"},
                 {"out", "float", Expression::name("n"), "zero"}};
  mep.kernels = {{"twice",
                  {{"in", ArgumentSpec::Kind::Buffer, "float", Access::Read},
                   {"out", ArgumentSpec::Kind::Buffer, "float", Access::Write}}}};
  Launch launch;
  launch.kernel = "twice";
  launch.arguments = {{"in", {Expression::name("in"), {}}}, {"out", {Expression::name("out"), {}}}};
  launch.global = {Expression::name("n")};
  const auto workload = [&](const char* name, Role role, std::int64_t n) {
    return Workload{name, role, {{"n", n}}, {launch}};
  };
  mep.workloads = {workload("tune", Role::Tune, 64), workload("held", Role::HeldOut, 96),
                   workload("odd", Role::Awkward, 37)};
  return mep;
}

inline void twice(Memory& memory, int n) {
  for (int i = 0; i < n; ++i)
    memory["out"][static_cast<std::size_t>(i)] = 2 * memory["in"][static_cast<std::size_t>(i)];
}

inline Variant variant(std::string source) { return {Language::OpenCL, std::move(source), {}, {}}; }

}  // namespace hone::judge
