#include "app/without_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/instantiate.hpp"
#include "base/text.hpp"
#include "core/launches.hpp"
#include "core/occupancy.hpp"
#include "judge/outputs.hpp"
#include "os/files.hpp"
#include "rules/propose.hpp"

namespace hone::app {
namespace {

constexpr const char* kEmulator = "emulator:cuda";
constexpr std::size_t kMostCandidates = 12;
constexpr Milliseconds kRunning{60'000};

using Outputs = std::map<std::string, std::map<std::string, std::vector<std::uint8_t>>>;  // by workload

worker::WorkerOptions emulator(const DeviceChoice& choice, const char* order) {
  auto options = choice.options();
  options.device = kEmulator;
  options.environment["CUDA_EMULATOR_ORDER"] = order;
  options.limit = kRunning;
  return options;
}

/// What a variant leaves on each workload; or why it does not come to its end there.
Result<Outputs> outputs_of(const Mep& mep, const Variant& variant, DeviceSession& session) {
  const auto built = session.build(variant.source, variant.options);
  if (const auto* refused = std::get_if<NotBuilt>(&built))
    return fail("E-BUILD", "does not build: " + refused->log.substr(0, 500));
  if (const auto* gone = std::get_if<WorkerLost>(&built)) return fail("E-WORKER", gone->reason);
  Outputs out;
  for (const auto& workload : mep.workloads) {
    const auto problem = concretise(mep, workload, variant.launches, session.device(), 1);
    if (!problem) return fail(problem.error());
    const auto loaded = session.load(problem->buffers, problem->images);
    if (const auto* refused = std::get_if<NotLaunched>(&loaded)) return fail("E-LAUNCH", refused->reason);
    if (const auto* gone = std::get_if<WorkerLost>(&loaded)) return fail("E-WORKER", gone->reason);
    auto ran = session.run(std::get<Built>(built).id, problem->launches, problem->outputs);
    if (const auto* refused = std::get_if<NotLaunched>(&ran)) return fail("E-LAUNCH", refused->reason);
    if (const auto* gone = std::get_if<WorkerLost>(&ran)) return fail("E-WORKER", gone->reason);
    auto& done = std::get<Ran>(ran);
    if (!done.broken_guards.empty()) return fail("E-LAUNCH", "writes outside of " + join(done.broken_guards, ", "));
    out[workload.name] = std::move(done.outputs);
  }
  return out;
}

std::optional<std::string> difference(const Mep& mep, const Outputs& wanted, const Outputs& got) {
  for (const auto& [workload, outputs] : wanted)
    for (const auto& [name, bytes] : outputs) {
      const auto buffer = std::ranges::find(mep.buffers, name, &BufferSpec::name);
      judge::CompareRule rule;
      rule.relative = mep.check.relative;
      rule.tolerance = mep.check.tolerance;
      const auto& type = buffer == mep.buffers.end() ? std::string("uchar") : buffer->type;
      if (const auto wrong = judge::compare_output(type, bytes, got.at(workload).at(name), rule))
        return fmt::format("{}: {}[{}] is {:g}, the original has {:g}", workload, name, wrong->element, wrong->got,
                           wrong->wanted);
    }
  return std::nullopt;
}

/// One after the other, each in workers of its own where one was lost.
class Checks {
 public:
  Checks(const Mep& mep, const DeviceChoice& choice, std::string architecture)
      : mep_(mep), choice_(choice), architecture_(std::move(architecture)) {}

  Status original() {
    auto first = on_emulator({mep_.language, mep_.source, {}, mep_.options}, "ascending");
    if (!first) return fail(std::move(first).error().context("the original on the emulator"));
    const auto turned = on_emulator({mep_.language, mep_.source, {}, mep_.options}, "descending");
    if (!turned) return fail(Error(turned.error()).context("the original on the emulator"));
    if (const auto differs = difference(mep_, *first, *turned))
      return fail("E-NONDETERMINISTIC",
                  "the original answers differently when its threads run in another order, so it races or relies on "
                  "lock step: " +
                      *differs);
    wanted_ = std::move(*first);
    return {};
  }

  /// Why a candidate is out; nothing when it stays.
  std::optional<std::string> against(const Variant& variant) {
    for (const auto* order : {"ascending", "descending"}) {
      const auto got = on_emulator(variant, order);
      if (!got) return got.error().message();
      if (auto differs = difference(mep_, wanted_, *got)) return std::move(*differs) + " (threads " + order + ")";
    }
    return for_architecture(variant);
  }

 private:
  Result<Outputs> on_emulator(const Variant& variant, const char* order) {
    auto session = worker::WorkerSessions(emulator(choice_, order)).start();
    if (!session) return fail(std::move(session).error());
    return outputs_of(mep_, variant, **session);
  }
  std::optional<std::string> for_architecture(const Variant& variant) {
    auto options = choice_.options();
    options.device = architecture_;
    const auto session = worker::WorkerSessions(options).start();
    if (!session) return session.error().message();
    const auto built = (*session)->build(variant.source, variant.options);
    if (const auto* refused = std::get_if<NotBuilt>(&built))
      return "does not compile for " + architecture_ + ": " + refused->log.substr(0, 300);
    if (const auto* gone = std::get_if<WorkerLost>(&built)) return gone->reason;
    return std::nullopt;
  }

  const Mep& mep_;
  DeviceChoice choice_;
  std::string architecture_;
  Outputs wanted_;
};

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

struct Taken {
  Mep mep;
  std::string folder;
  PatchLimits limits;
};

Result<Taken> taken(const OptimizeRequest& request, Console& console, TimeLedger& ledger) {
  if (std::filesystem::exists(request.input + "/mep.toml")) {
    auto mep = load_mep(request.input);
    if (!mep) return fail(std::move(mep).error());
    return Taken{std::move(*mep), request.input, {}};
  }
  CompletionRequest completion = request.completion;
  completion.application = request.input;
  completion.kernel = request.kernel;
  completion.device = request.improve.device;
  completion.device.device = kEmulator;
  auto completed = complete_application(completion, console, ledger);
  if (!completed) return fail(std::move(completed).error());
  Taken out{std::move(completed->mep), request.keep_mep, {}};
  if (out.folder.empty()) out.folder = out.mep.name + ".mep";
  if (auto written = os::write_folder(out.folder, completed->folder); !written) return fail(std::move(written).error());
  return out;
}

}  // namespace

bool lacks_a_gpu(const Error& error, const DeviceChoice& choice) {
  return choice.device.empty() && choice.worker.empty() && error.message().find("no CUDA device") != std::string::npos;
}

Result<Answer> prepare_without_gpu(const OptimizeRequest& request, Console& console, TimeLedger& ledger) {
  console.note("no GPU here: candidates are checked on the emulator and compiled for " + request.architecture +
               ", nothing is timed");
  auto subject = taken(request, console, ledger);
  if (!subject) return fail(std::move(subject).error());
  Checks checks(subject->mep, request.improve.device, request.architecture);
  if (auto sound = checks.original(); !sound) return fail(std::move(sound).error());
  const Instantiator instantiate(subject->mep);
  std::vector<std::string> kept, lines;
  if (!instantiate.lifted()) lines.push_back("no candidates of the rules: " + instantiate.lifted().error().message());
  if (instantiate.lifted()) {
    const auto gpu = described_gpu(request.architecture);
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
      kept.size(), request.architecture);
  for (const auto& line : lines) answer.text += "  " + line + "\n";
  answer.text += "  kept in " + subject->folder + "\n  next, on a machine with the GPU: hone optimize " +
                 subject->folder +
                 (kept.empty() ? "" : ", or hone tune " + subject->folder + " --template " + kept.front()) + "\n";
  answer.data = {{"timed", false},         {"reason", "no GPU here"}, {"architecture", request.architecture},
                 {"mep", subject->folder}, {"candidates", kept},      {"notes", lines}};
  return answer;
}

}  // namespace hone::app
