#include "device/opencl/opencl_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "device/opencl/data.hpp"
#include "device/opencl/kept_programs.hpp"
#include "device/opencl/platform.hpp"
#include "device/opencl/program.hpp"

namespace hone::device {
namespace {

/// Between two waits: a sequence of very many launches must not pile up in the driver.
constexpr std::size_t kLaunchesAtOnce = 16384;

struct Times {
  cl_ulong first_start = ~cl_ulong{0}, last_end = 0, busy = 0;
};

class OpenClDevice final : public Device {
 public:
  OpenClDevice(OpenClDeviceId id, Context context, Queue queue)
      : id_(std::move(id)), context_(std::move(context)), queue_(std::move(queue)) {
    const auto bits = device_number<cl_uint>(id_.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024);
    // Oclgrind reports every access outside a buffer; with zones around it there would be none.
    const bool watches_bounds = id_.info.driver.find("Oclgrind") != std::string::npos;
    alignment_ = watches_bounds ? 0 : std::max<std::size_t>(bits / 8, 128);
  }

  const DeviceInfo& info() const override { return id_.info; }

  BuildResult build(const std::string& id, const std::string& source,
                    const std::vector<std::string>& options) override {
    auto built = OpenClProgram::build(context_.get(), id_.device, source, options);
    if (auto* log = std::get_if<BuildLog>(&built)) return std::move(*log);
    const auto at = programs_.insert_or_assign(id, std::move(std::get<OpenClProgram>(built))).first;
    return at->second.resources();
  }
  CompiledForm form_of_last_build() override { return keeps_programs() ? kept_of_last_build() : CompiledForm(); }
  void provide(const CompiledForm& form) override {
    if (keeps_programs()) keep(form);
  }
  bool has_program(const std::string& id) const override { return programs_.contains(id); }

  Status load(const std::vector<BufferContents>& buffers, const std::vector<ImageContents>& images) override {
    for (auto& [name, program] : programs_) program.forget_arguments();
    data_.forget_copies();
    auto made =
        OpenClData::make(context_.get(), queue_.get(), alignment_, id_.info.kind == "cpu", buffers, images, data_);
    if (!made) {
      data_ = OpenClData();
      return fail(std::move(made).error());
    }
    data_ = std::move(*made);
    return {};
  }
  Status restore() override { return data_.restore(); }
  Result<std::vector<std::uint8_t>> read(const std::string& name) override { return data_.read(name); }
  Result<std::string> hash(const std::string& name) override { return data_.hash(name); }
  Result<std::vector<std::string>> broken_guards() override { return data_.broken_guards(); }
  std::map<std::string, Strayed> strayed() override { return data_.strayed(); }

  Result<PassTimes> pass(const std::string& id, const std::vector<ConcreteLaunch>& launches) override {
    if (launches.empty()) return PassTimes{};
    const auto program = programs_.find(id);
    if (program == programs_.end()) return fail("E-LAUNCH", "there is no build " + id);
    Times times;
    std::vector<Event> events;
    for (const auto& launch : launches) {
      auto event = program->second.enqueue(context_.get(), queue_.get(), data_, launch);
      if (!event) {
        opencl()->clFinish(queue_.get());
        return fail(std::move(event).error());
      }
      events.push_back(std::move(*event));
      if (events.size() < kLaunchesAtOnce) continue;
      if (auto done = finish(events, times); !done) return fail(std::move(done).error());
    }
    if (auto done = finish(events, times); !done) return fail(std::move(done).error());
    return PassTimes{.span = Nanoseconds(static_cast<double>(times.last_end - times.first_start)),
                     .busy = Nanoseconds(static_cast<double>(times.busy))};
  }

 private:
  bool keeps_programs() const { return id_.info.driver.starts_with("Portable Computing Language"); }
  Status finish(std::vector<Event>& events, Times& times) {
    const OpenCl& cl = *opencl();
    if (const cl_int status = cl.clFinish(queue_.get()); status != CL_SUCCESS)
      return fail("E-LAUNCH", "waiting for the kernels: " + status_name(status));
    for (const auto& event : events) {
      cl_int state = CL_COMPLETE;
      cl.clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
      if (state < 0) return fail("E-LAUNCH", "a kernel ended with " + status_name(state));
      cl_ulong start = 0, end = 0;
      cl_int status =
          cl.clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
      if (status == CL_SUCCESS)
        status = cl.clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
      if (status != CL_SUCCESS) return fail("E-LAUNCH", "the device gives no times: " + status_name(status));
      times.first_start = std::min(times.first_start, start);
      times.last_end = std::max(times.last_end, end);
      times.busy += end - start;
    }
    events.clear();
    return {};
  }

  OpenClDeviceId id_;
  // In this order: what comes later is released first.
  Context context_;
  Queue queue_;
  OpenClData data_;
  std::map<std::string, OpenClProgram> programs_;
  std::size_t alignment_ = 128;
};

Result<std::unique_ptr<Device>> opened(const OpenClDeviceId& id) {
  const OpenCl& cl = *opencl();
  cl_int status = CL_SUCCESS;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(id.platform),
                                              0};
  Context context(cl.clCreateContext(properties, 1, &id.device, nullptr, nullptr, &status));
  if (status != CL_SUCCESS) return fail("E-OPEN", "opening " + id.info.id + ": " + status_name(status));
  Queue queue(cl.clCreateCommandQueue(context.get(), id.device, CL_QUEUE_PROFILING_ENABLE, &status));
  if (status != CL_SUCCESS)
    return fail("E-OPEN", "a queue that takes times on " + id.info.id + ": " + status_name(status));
  return std::make_unique<OpenClDevice>(id, std::move(context), std::move(queue));
}

std::vector<DeviceInfo> listed() {
  std::vector<DeviceInfo> all;
  for (auto& found : opencl_devices()) all.push_back(std::move(found.info));
  return all;
}

Result<std::unique_ptr<Device>> opened_by_name(const std::string& id) {
  for (const auto& found : opencl_devices())
    if (found.info.id == id) return opened(found);
  return fail("E-OPEN", id + " is no longer there", "hone devices");
}

Error missing_opencl() {
  return Error("E-DEVICE", "no OpenCL device: libOpenCL.so.1 or a platform for it is missing",
               "apt-get install pocl-opencl-icd");
}

}  // namespace

const Backend opencl_backend = {"opencl", listed, opened_by_name, missing_opencl};

}  // namespace hone::device
