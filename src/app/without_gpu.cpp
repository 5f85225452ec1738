#include "app/without_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/instantiate.hpp"
#include "app/on_emulator.hpp"
#include "base/text.hpp"
#include "core/occupancy.hpp"
#include "os/files.hpp"
#include "rules/propose.hpp"

namespace hone::app {
namespace {

constexpr std::size_t kMostCandidates = 12;

/// As far as proposals ask for it.
DeviceInfo described_gpu(const std::string& architecture) {
  DeviceInfo gpu{architecture, architecture, {}, "gpu", {}};
  if (const auto limits = gpu_limits(architecture))
    gpu.facts = {{"max_work_group_size", limits->block_threads},
                 {"local_bytes", limits->block_shared_bytes},
                 {"warp", limits->lanes},
                 {"local_is_dedicated", true},
                 {"has_double", true},
                 {"has_half", true},
                 {"images", false}};
  return gpu;
}

std::string default_architecture(Language language) { return language == Language::Hip ? "gfx90a" : "sm_80"; }

struct Taken {
  Mep mep;
  std::string folder;
  PatchLimits limits;
};

Result<Taken> taken(const OptimizeRequest& request, Language language, Console& console, TimeLedger& ledger) {
  if (std::filesystem::exists(request.input + "/mep.toml")) {
    auto mep = load_mep(request.input);
    if (!mep) return fail(std::move(mep).error());
    return Taken{std::move(*mep), request.input, {}};
  }
  CompletionRequest completion = request.completion;
  completion.application = request.input;
  completion.kernel = request.kernel;
  completion.device = request.improve.device;
  completion.device.device = emulator_of(language);
  auto completed = complete_application(completion, console, ledger);
  if (!completed) return fail(std::move(completed).error());
  Taken out{std::move(completed->mep), request.keep_mep, {}};
  if (out.folder.empty()) out.folder = out.mep.name + ".mep";
  if (auto written = os::write_folder(out.folder, completed->folder); !written) return fail(std::move(written).error());
  return out;
}

}  // namespace

std::optional<Language> lacks_a_gpu(const Error& error, const DeviceChoice& choice) {
  if (!choice.device.empty() || !choice.worker.empty()) return std::nullopt;
  if (error.message().find("no CUDA device") != std::string::npos) return Language::Cuda;
  if (error.message().find("no HIP device") != std::string::npos) return Language::Hip;
  return std::nullopt;
}

Result<Answer> prepare_without_gpu(const OptimizeRequest& request, Language language, Console& console,
                                   TimeLedger& ledger) {
  const auto architecture = !request.architecture.empty() ? request.architecture : default_architecture(language);
  console.note("no GPU here: candidates are checked on the emulator and compiled for " + architecture +
               ", nothing is timed");
  auto subject = taken(request, language, console, ledger);
  if (!subject) return fail(std::move(subject).error());
  OnEmulator checks(subject->mep, request.improve.device, architecture);
  if (auto sound = checks.original(); !sound) return fail(std::move(sound).error());
  const Instantiator instantiate(subject->mep);
  std::vector<std::string> kept, lines;
  if (!instantiate.lifted()) lines.push_back("no candidates of the rules: " + instantiate.lifted().error().message());
  if (instantiate.lifted()) {
    const auto gpu = described_gpu(architecture);
    auto proposals = rules::propose(*instantiate.lifted(), gpu, subject->limits);
    if (proposals.templates.size() > kMostCandidates) proposals.templates.resize(kMostCandidates);
    for (const auto& proposed : proposals.templates) {
      const auto variant = instantiate(proposed, default_configuration(proposed.space));
      const auto out = variant ? checks.against(*variant) : std::optional(variant.error().message());
      lines.push_back(
          fmt::format("{}: {}", proposed.name, out ? "out: " + *out : "agrees with the original, and compiles"));
      if (out) continue;
      const auto folder = subject->folder + "/candidates/" + proposed.name;
      if (auto written = os::write_folder(folder, to_files(proposed)); !written)
        return fail(std::move(written).error());
      kept.push_back(folder);
    }
    for (const auto& reason : proposals.declined) lines.push_back("not proposed: " + reason);
  }
  Answer answer;
  answer.code = ExitCode::No;
  answer.text = fmt::format(
      "nothing was timed: no GPU here. {} of the rules' candidates agree with the original on the emulator (threads in "
      "both orders) and compile for {}\n",
      kept.size(), architecture);
  for (const auto& line : lines) answer.text += "  " + line + "\n";
  answer.text += "  kept in " + subject->folder + "\n  next, on a machine with the GPU: hone optimize " +
                 subject->folder +
                 (kept.empty() ? "" : ", or hone tune " + subject->folder + " --template " + kept.front()) + "\n";
  answer.data = {{"timed", false},         {"reason", "no GPU here"}, {"architecture", architecture},
                 {"mep", subject->folder}, {"candidates", kept},      {"notes", lines}};
  return answer;
}

}  // namespace hone::app
