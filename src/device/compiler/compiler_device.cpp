#include "device/compiler/compiler_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/occupancy.hpp"
#include "device/compiler/report.hpp"
#include "device/cuda/api.hpp"
#include "device/cuda/compile.hpp"
#include "os/process.hpp"

namespace hone::device {
namespace {

constexpr Milliseconds kHipcc{120'000};

BuildResult by_nvrtc(const std::string& architecture, const std::string& source,
                     const std::vector<std::string>& options) {
  auto compiled = cuda::compile(source, options, architecture, {});
  if (auto* log = std::get_if<BuildLog>(&compiled)) return std::move(*log);
  return ptxas_report(std::get<cuda::Compiled>(compiled).log);
}

/// hipRTC's log has no resources in it, hipcc's has.
BuildResult by_hipcc(const std::string& architecture, const std::string& source,
                     const std::vector<std::string>& options) {
  const auto folder = os::TempFolder::make("hone-hipcc");
  if (!folder) return BuildLog{folder.error().message()};
  const auto text = folder->path() / "kernel.hip";
  const bool included = source.find("hip/hip_runtime.h") != std::string::npos;
  if (auto written =
          os::write_text(text, included ? source : "#include <hip/hip_runtime.h>\n#line 1 \"kernel.hip\"\n" + source);
      !written)
    return BuildLog{written.error().message()};
  os::Command command;
  command.words = {"hipcc", "--genco", "--offload-arch=" + architecture, "-Rpass-analysis=kernel-resource-usage"};
  command.words.insert(command.words.end(), options.begin(), options.end());
  command.words.insert(command.words.end(), {text.string(), "-o", (folder->path() / "kernel.co").string()});
  // Clang ends badly in a folder that it may not read.
  command.folder = folder->path();
  command.environment = {{"TMPDIR", folder->path().string()}, {"PWD", folder->path().string()}};
  const auto done = os::run(command, "", kHipcc);
  if (!done) return BuildLog{done.error().message()};
  if (done->timed_out) return BuildLog{"hipcc did not end within two minutes"};
  if (done->exit.code != 0 || done->exit.signal != 0)
    return BuildLog{replace_all(std::string(trim(done->err + done->out)).substr(0, 8000), text.string(), "kernel.hip")};
  return amd_report(done->err + done->out);
}

class CompilerDevice final : public Device {
 public:
  CompilerDevice(DeviceInfo info, Language language) : info_(std::move(info)), language_(language) {}
  const DeviceInfo& info() const override { return info_; }
  BuildResult build(const std::string&, const std::string& source, const std::vector<std::string>& options) override {
    return language_ == Language::Cuda ? by_nvrtc(info_.id, source, options) : by_hipcc(info_.id, source, options);
  }
  bool has_program(const std::string&) const override { return false; }
  Status load(const std::vector<BufferContents>&, const std::vector<ImageContents>&) override { return nothing(); }
  Status restore() override { return nothing(); }
  Result<PassTimes> pass(const std::string&, const std::vector<ConcreteLaunch>&) override { return nothing(); }
  Result<std::vector<std::uint8_t>> read(const std::string&) override { return nothing(); }
  Result<std::vector<std::string>> broken_guards() override { return nothing(); }

 private:
  tl::unexpected<Error> nothing() const {
    return fail("E-DEVICE", info_.id + " is not here: kernels are compiled for it, and none can run");
  }
  DeviceInfo info_;
  Language language_;
};

}  // namespace

Result<std::unique_ptr<Device>> open_compiler(const std::string& architecture) {
  const auto language = language_of_architecture(architecture);
  if (!language) return fail("E-ARCH", architecture + " is no architecture of a GPU; they are written sm_86 or gfx90a");
  DeviceInfo info{architecture, "compiler for " + architecture + " (no GPU)", {}, "compiler", {}};
  if (*language == Language::Cuda) {
    const auto& compiler = cuda::nvrtc();
    if (!compiler) return fail(compiler.error());
    std::vector<std::string> names;
    for (const int one : cuda::known_architectures()) names.push_back(fmt::format("sm_{}", one));
    // A letter behind the number ("sm_90a") is for the compiler to judge.
    const auto plain = std::string(architecture.substr(0, architecture.find_last_of("0123456789") + 1));
    if (!names.empty() && std::ranges::find(names, plain) == names.end())
      return fail("E-ARCH", fmt::format("NVRTC {}.{} does not compile for {}; it knows {}", compiler->major,
                                        compiler->minor, architecture, join(names, ", ")));
    info.driver = fmt::format("NVRTC {}.{}", compiler->major, compiler->minor);
  } else {
    if (os::find_program("hipcc").empty())
      return fail("E-HIPCC", "compiling for " + architecture + " needs hipcc, which is not on PATH",
                  "apt-get install hipcc");
    info.driver = "hipcc";
  }
  if (const auto gpu = gpu_limits(architecture))
    info.facts = {
        {"max_work_group_size", gpu->block_threads}, {"local_bytes", gpu->block_shared_bytes}, {"warp", gpu->lanes}};
  return std::make_unique<CompilerDevice>(std::move(info), *language);
}

}  // namespace hone::device
