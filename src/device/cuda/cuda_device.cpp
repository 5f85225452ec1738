#include "device/cuda/cuda_device.hpp"

#include <filesystem>

#include "device/cuda/compile.hpp"
#include "device/cuda/entries.hpp"
#include "device/cuda/listing.hpp"
#include "device/gpu/gpu_device.hpp"
#include "device/gpu/headers.hpp"
#include "os/files.hpp"

namespace hone::device {
namespace cuda {
namespace {

/// Machine code first, which needs no compiler in the driver; where it does not fit, the driver may still take the PTX.
gpu::Compile compiler_for(const std::string& architecture, bool hip) {
  return [architecture, hip](const std::string& source, const std::vector<std::string>& options,
                             const std::vector<std::string>& names) -> std::variant<gpu::Code, BuildLog> {
    auto made = compile(hip ? gpu::with_hip_header(source) : source, options, architecture, names);
    if (auto* log = std::get_if<BuildLog>(&made)) return std::move(*log);
    auto& compiled = std::get<Compiled>(made);
    gpu::Code code{{}, entries_of(compiled.ptx), variables_of(compiled.ptx), std::move(compiled.lowered)};
    code.images = {std::move(compiled.cubin), std::move(compiled.ptx)};
    return code;
  };
}

Result<std::unique_ptr<Device>> opened(const Found& found) {
  if (const auto& compiler = nvrtc(); !compiler)
    return fail(Error(compiler.error()).context("opening " + found.info.id));
  if (const auto status = use_device(found.number); status != 0)
    return fail("E-OPEN", "opening " + found.info.id + ": " + status_name(status));
  return gpu::opened(found.info, found.number, *driver(),
                     compiler_for(architecture_for(found.major, found.minor), found.info.id == kHipEmulatorId));
}

std::vector<DeviceInfo> listed() { return gpu::infos_of(devices()); }

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
