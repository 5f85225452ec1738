#include "device/cuda/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "device/cuda/compile.hpp"
#include "device/cuda/listing.hpp"
#include "device/cuda/program.hpp"
#include "os/files.hpp"

namespace hone::device {
namespace cuda {
namespace {

/// Between two waits: a sequence of very many launches must not pile up in the driver.
constexpr std::size_t kLaunchesAtOnce = 4096;

class CudaDevice final : public Device {
 public:
  CudaDevice(Found found, Stream stream)
      : found_(std::move(found)),
        stream_(stream),
        data_(stream),
        architecture_(architecture_for(found_.major, found_.minor)) {}
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override {
    for (auto* event : events_) driver()->cuEventDestroy_v2(event);
    programs_.clear();
    data_ = Data(stream_);
    driver()->cuStreamDestroy_v2(stream_);
    driver()->cuDevicePrimaryCtxRelease_v2(found_.number);
  }

  const DeviceInfo& info() const override { return found_.info; }

  BuildResult build(const std::string& id, const std::string& source,
                    const std::vector<std::string>& options) override {
    const bool hip = found_.info.id == kHipEmulatorId;
    auto built = CudaProgram::build(hip ? in_cuda_words(source) : source, options, architecture_);
    if (auto* log = std::get_if<BuildLog>(&built)) return std::move(*log);
    const auto at = programs_.insert_or_assign(id, std::move(std::get<0>(built))).first;
    return at->second->resources();
  }
  bool has_program(const std::string& id) const override { return programs_.contains(id); }

  hone::Status load(const std::vector<BufferContents>& buffers, const std::vector<ImageContents>& images) override {
    if (!images.empty())
      return fail("E-DEVICE", "textures are not served on CUDA devices: " + images.front().image.name);
    data_.forget_copies();
    Data made(stream_);
    for (const auto& buffer : buffers)
      if (auto added = made.add(buffer, failed_); !added) {
        data_ = Data(stream_);
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
        note(driver()->cuStreamSynchronize(stream_));
        return fail(std::move(done).error());
      }
    }
    return times;
  }

  std::optional<std::string> lost() const override {
    if (!is_sticky(failed_)) return std::nullopt;
    return "a kernel left the GPU's context unusable: " + status_name(failed_);
  }

 private:
  Status note(Status status) {
    if (status != 0) failed_ = status;
    return status;
  }
  tl::unexpected<Error> refused(const std::string& doing, Status status) {
    note(status);
    return fail("E-LAUNCH", doing + ": " + status_name(status));
  }

  Event event(std::size_t i) {
    while (events_.size() <= i) {
      Event made = nullptr;
      if (note(driver()->cuEventCreate(&made, 0)) != 0) return nullptr;
      events_.push_back(made);
    }
    return events_[i];
  }

  using Variables = std::map<Address, Data::Place>;
  /// Variables of the module get what their buffers hold before the launch, unless they have it.
  hone::Status fill(const CudaProgram::Prepared& launch, Variables& held) {
    for (const auto& variable : launch.variables) {
      auto& now = held[variable.address];
      if (now.address == variable.buffer.address) continue;
      if (auto done = keep(variable.address, now); !done) return done;
      now = variable.buffer;
      const auto status = driver()->cuMemcpyDtoDAsync_v2(variable.address, now.address, now.bytes, stream_);
      if (status != 0) return refused("setting a variable of the module", status);
    }
    return {};
  }
  hone::Status keep(Address variable, const Data::Place& buffer) {
    if (buffer.address == 0) return {};
    const auto status = driver()->cuMemcpyDtoDAsync_v2(buffer.address, variable, buffer.bytes, stream_);
    return status == 0 ? hone::Status{} : refused("reading a variable of the module", status);
  }

  hone::Status enqueue(CudaProgram::Prepared& launch, std::size_t i, const std::string& name) {
    std::vector<void*> parameters;
    for (auto& bytes : launch.parameters) parameters.push_back(bytes.data());
    const auto& cu = *driver();
    Event before = event(2 * i), after = event(2 * i + 1);
    if (before == nullptr || after == nullptr) return refused("making events", failed_);
    if (const auto status = cu.cuEventRecord(before, stream_); status != 0) return refused("taking the time", status);
    const auto status =
        cu.cuLaunchKernel(launch.function, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                          launch.block[1], launch.block[2], launch.shared, stream_, parameters.data(), nullptr);
    if (status != 0) return refused("launching " + name, status);
    if (const auto taken = cu.cuEventRecord(after, stream_); taken != 0)
      return refused("after launching " + name, taken);
    return {};
  }

  hone::Status some(CudaProgram& program, std::span<const ConcreteLaunch> launches, PassTimes& times) {
    std::vector<CudaProgram::Prepared> prepared;
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
    if (const auto status = driver()->cuStreamSynchronize(stream_); status != 0)
      return refused("waiting for the kernels", status);
    for (const auto& [variable, buffer] : held)
      if (auto kept = keep(variable, buffer); !kept) return kept;
    if (const auto status = driver()->cuStreamSynchronize(stream_); status != 0)
      return refused("waiting for the device", status);
    float milliseconds = 0;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      if (const auto status = driver()->cuEventElapsedTime(&milliseconds, events_[2 * i], events_[2 * i + 1]);
          status != 0)
        return refused("the device gives no times", status);
      times.busy += Nanoseconds(static_cast<double>(milliseconds) * 1e6);
    }
    if (const auto status = driver()->cuEventElapsedTime(&milliseconds, events_[0], events_[2 * prepared.size() - 1]);
        status != 0)
      return refused("the device gives no times", status);
    times.span += Nanoseconds(static_cast<double>(milliseconds) * 1e6);
    return {};
  }

  Found found_;
  Stream stream_;
  Data data_;
  std::string architecture_;
  std::map<std::string, std::unique_ptr<CudaProgram>> programs_;
  std::vector<Event> events_;
  Status failed_ = 0;  // the last call that was refused
};

Result<std::unique_ptr<Device>> opened(const Found& found) {
  const auto& cu = *driver();
  if (const auto& compiler = nvrtc(); !compiler)
    return fail(Error(compiler.error()).context("opening " + found.info.id));
  Context context = nullptr;
  Stream stream = nullptr;
  Status status = cu.cuDevicePrimaryCtxRetain(&context, found.number);
  if (status == 0) status = cu.cuCtxSetCurrent(context);
  if (status == 0) status = cu.cuStreamCreate(&stream, 0);
  if (status != 0) return fail("E-OPEN", "opening " + found.info.id + ": " + status_name(status));
  return std::make_unique<CudaDevice>(found, stream);
}

std::vector<DeviceInfo> listed() {
  std::vector<DeviceInfo> all;
  if (auto found = devices())
    for (auto& one : *found) all.push_back(std::move(one.info));
  return all;
}

Result<std::unique_ptr<Device>> opened_by_name(const std::string& id) {
  const auto found = devices();
  if (!found) return fail(found.error());
  for (const auto& one : *found)
    if (one.info.id == id) return opened(one);
  return fail("E-OPEN", id + " is no longer there", "hone devices");
}

Error missing() {
  const auto found = devices();
  if (!found) return found.error();
  return Error("E-DEVICE", "no CUDA device", "nvidia-smi");
}

}  // namespace
}  // namespace cuda

Result<std::unique_ptr<Device>> open_emulator(std::string_view id) {
  const auto beside = os::own_program().parent_path();
  for (const auto& folder : {beside, beside.parent_path() / "lib" / "hone"}) {
    const auto library = folder / "libhone_emulator_cuda.so";
    std::error_code ignored;
    if (!std::filesystem::exists(library, ignored)) continue;
    cuda::use_emulator(library.string());
    auto found = cuda::devices();
    if (!found) return fail(std::move(found).error());
    auto& one = found->front();
    one.info.id = id;
    one.info.kind = "emulator";
    return cuda::opened(one);
  }
  return fail("E-DEVICE", "the emulator of CUDA and HIP kernels is not part of this build",
              "apt-get install libboost-context-dev, and build again");
}

const Backend cuda_backend = {"cuda", cuda::listed, cuda::opened_by_name, cuda::missing};

}  // namespace hone::device
