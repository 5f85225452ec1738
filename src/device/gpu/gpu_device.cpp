#include "device/gpu/gpu_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "device/gpu/program.hpp"

namespace hone::device::gpu {
namespace {

/// Between two waits: a sequence of very many launches must not pile up in the driver.
constexpr std::size_t kLaunchesAtOnce = 4096;

class GpuDevice final : public Device {
 public:
  GpuDevice(DeviceInfo info, DeviceNumber number, const Driver& driver, Stream stream, Compile compile)
      : info_(std::move(info)),
        number_(number),
        driver_(driver),
        stream_(stream),
        data_(driver, stream),
        compile_(std::move(compile)) {}
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;
  ~GpuDevice() override {
    for (auto* event : events_) driver_.end_event(event);
    programs_.clear();
    data_ = Data(driver_, stream_);
    driver_.end_stream(stream_);
    driver_.close(number_);
  }

  const DeviceInfo& info() const override { return info_; }

  BuildResult build(const std::string& id, const std::string& source,
                    const std::vector<std::string>& options) override {
    auto built = GpuProgram::build(driver_, compile_, source, options);
    if (auto* log = std::get_if<BuildLog>(&built)) return std::move(*log);
    const auto at = programs_.insert_or_assign(id, std::move(std::get<0>(built))).first;
    return at->second->resources();
  }
  bool has_program(const std::string& id) const override { return programs_.contains(id); }

  hone::Status load(const std::vector<BufferContents>& buffers, const std::vector<ImageContents>& images) override {
    if (!images.empty())
      return fail("E-DEVICE",
                  fmt::format("textures are not served on {} devices: {}", driver_.vendor, images.front().image.name));
    data_.forget_copies();
    Data made(driver_, stream_);
    for (const auto& buffer : buffers)
      if (auto added = made.add(buffer, failed_); !added) {
        data_ = Data(driver_, stream_);
        return added;
      }
    if (auto restored = made.restore(failed_); !restored) return restored;
    data_ = std::move(made);
    return {};
  }
  hone::Status restore() override { return data_.restore(failed_); }
  Result<std::vector<std::uint8_t>> read(const std::string& name) override { return data_.read(name, failed_); }
  Result<std::vector<std::string>> broken_guards() override { return data_.broken_guards(failed_); }

  Result<PassTimes> pass(const std::string& id, const std::vector<ConcreteLaunch>& launches) override {
    if (launches.empty()) return PassTimes{};
    const auto program = programs_.find(id);
    if (program == programs_.end()) return fail("E-LAUNCH", "there is no build " + id);
    PassTimes times;
    for (std::size_t begin = 0; begin < launches.size(); begin += kLaunchesAtOnce) {
      const auto count = std::min(kLaunchesAtOnce, launches.size() - begin);
      auto done = some(*program->second, {launches.data() + begin, count}, times);
      if (!done) {
        // What was launched before may still run.
        note(driver_.wait(stream_));
        return fail(std::move(done).error());
      }
    }
    return times;
  }

  std::optional<std::string> lost() const override {
    if (!is_sticky(failed_)) return std::nullopt;
    return "a kernel left the GPU's context unusable: " + status_name(driver_, failed_);
  }

 private:
  Status note(Status status) {
    if (status != 0) failed_ = status;
    return status;
  }
  tl::unexpected<Error> refused(const std::string& doing, Status status) {
    note(status);
    return fail("E-LAUNCH", doing + ": " + status_name(driver_, status));
  }

  Event event(std::size_t i) {
    while (events_.size() <= i) {
      Event made = nullptr;
      if (note(driver_.new_event(&made, 0)) != 0) return nullptr;
      events_.push_back(made);
    }
    return events_[i];
  }

  using Variables = std::map<Address, Data::Place>;
  /// Variables of the module get what their buffers hold before the launch, unless they have it.
  hone::Status fill(const GpuProgram::Prepared& launch, Variables& held) {
    for (const auto& variable : launch.variables) {
      auto& now = held[variable.address];
      if (now.address == variable.buffer.address) continue;
      if (auto done = keep(variable.address, now); !done) return done;
      now = variable.buffer;
      const auto status = driver_.copy_within(variable.address, now.address, now.bytes, stream_);
      if (status != 0) return refused("setting a variable of the module", status);
    }
    return {};
  }
  hone::Status keep(Address variable, const Data::Place& buffer) {
    if (buffer.address == 0) return {};
    const auto status = driver_.copy_within(buffer.address, variable, buffer.bytes, stream_);
    return status == 0 ? hone::Status{} : refused("reading a variable of the module", status);
  }

  hone::Status enqueue(GpuProgram::Prepared& launch, std::size_t i, const std::string& name) {
    std::vector<void*> parameters;
    for (auto& bytes : launch.parameters) parameters.push_back(bytes.data());
    Event before = event(2 * i), after = event(2 * i + 1);
    if (before == nullptr || after == nullptr) return refused("making events", failed_);
    if (const auto status = driver_.record(before, stream_); status != 0) return refused("taking the time", status);
    const auto status =
        driver_.launch(launch.function, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                       launch.block[1], launch.block[2], launch.shared, stream_, parameters.data(), nullptr);
    if (status != 0) return refused("launching " + name, status);
    if (const auto taken = driver_.record(after, stream_); taken != 0) return refused("after launching " + name, taken);
    return {};
  }

  hone::Status some(GpuProgram& program, std::span<const ConcreteLaunch> launches, PassTimes& times) {
    std::vector<GpuProgram::Prepared> prepared;
    for (const auto& launch : launches) {
      auto one = program.prepare(launch, data_);
      if (!one) return fail(std::move(one).error());
      prepared.push_back(std::move(*one));
    }
    Variables held;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      if (auto filled = fill(prepared[i], held); !filled) return filled;
      if (auto queued = enqueue(prepared[i], i, launches[i].kernel); !queued) return queued;
    }
    if (const auto status = driver_.wait(stream_); status != 0) return refused("waiting for the kernels", status);
    for (const auto& [variable, buffer] : held)
      if (auto kept = keep(variable, buffer); !kept) return kept;
    if (const auto status = driver_.wait(stream_); status != 0) return refused("waiting for the device", status);
    float milliseconds = 0;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      if (const auto status = driver_.elapsed(&milliseconds, events_[2 * i], events_[2 * i + 1]); status != 0)
        return refused("the device gives no times", status);
      times.busy += Nanoseconds(static_cast<double>(milliseconds) * 1e6);
    }
    if (const auto status = driver_.elapsed(&milliseconds, events_[0], events_[2 * prepared.size() - 1]); status != 0)
      return refused("the device gives no times", status);
    times.span += Nanoseconds(static_cast<double>(milliseconds) * 1e6);
    return {};
  }

  DeviceInfo info_;
  DeviceNumber number_;
  const Driver& driver_;
  Stream stream_;
  Data data_;
  Compile compile_;
  std::map<std::string, std::unique_ptr<GpuProgram>> programs_;
  std::vector<Event> events_;
  Status failed_ = 0;  // the last call that was refused
};

}  // namespace

Result<std::unique_ptr<Device>> opened(DeviceInfo info, DeviceNumber number, const Driver& driver, Compile compile) {
  Stream stream = nullptr;
  if (const auto status = driver.new_stream(&stream, 0); status != 0)
    return fail("E-OPEN", "opening " + info.id + ": " + status_name(driver, status));
  return std::make_unique<GpuDevice>(std::move(info), number, driver, stream, std::move(compile));
}

}  // namespace hone::device::gpu
