#include "app/test_quality.hpp"

#include <fmt/format.h>

#include <set>

#include "affine/view.hpp"
#include "app/instantiate.hpp"
#include "base/text.hpp"
#include "core/launch_walk.hpp"
#include "core/provenance_text.hpp"
#include "judge/mutation.hpp"
#include "os/files.hpp"
#include "worker/client.hpp"

namespace hone::app {
namespace {

constexpr std::size_t kMostMutants = 40;

std::string access_words(const affine::MemoryAccess& access) {
  const auto direction = access.direction == affine::Direction::Read    ? "reads"
                         : access.direction == affine::Direction::Write ? "writes"
                                                                        : "updates";
  const auto step = affine::constant_stride(access, affine::work_item(0));
  const auto along = !access.index ? std::string("where was not understood")
                     : step
                         ? fmt::format("[{}], {} elements from one work-item to the next", access.index->print(), *step)
                         : "[" + access.index->print() + "]";
  return fmt::format("{}{} {}{}", access.atomic ? "atomically " : "", direction, along,
                     access.guarded_by_data ? ", where data says so" : "");
}

/// What is guessed, each once: what a person could state.
std::set<std::string> guessed_values(const Mep& mep) {
  std::set<std::string> out;
  const auto guessed = [](const Provenance& from) { return from.kind == Provenance::Kind::Guessed; };
  for (const auto& buffer : mep.buffers)
    if (guessed(buffer.from)) out.insert("the extent of " + buffer.name);
  for (const auto& image : mep.images)
    if (guessed(image.from)) out.insert("format and sizes of " + image.name);
  for (const auto& workload : mep.workloads) {
    if (workload.role != Role::Tune) continue;
    for (const auto& [name, from] : workload.from)
      if (guessed(from)) out.insert(name + ": --set " + name + "=VALUE");
    each_launch(workload.launches, [&](const Launch& launch, const auto&) {
      if (guessed(launch.sizes)) out.insert("the launch sizes of " + launch.kernel);
      for (const auto& [name, binding] : launch.arguments)
        if (guessed(binding.from)) out.insert(fmt::format("what {} gets for {}", launch.kernel, name));
    });
  }
  return out;
}

}  // namespace

Result<MutantScore> mutant_score(const Mep& mep, DeviceSessions& sessions) {
  const auto lifted = lift_kernel(mep);
  if (!lifted) return fail(lifted.error());
  auto program = mep::mutated(mep, lifted->unit, kMostMutants);
  if (!program) return fail(std::move(program).error());
  auto killed = judge::killed_mutants(program->mep, mep::kMutantScalar, program->mutants.size(), sessions);
  if (!killed) return fail(std::move(killed).error());
  return MutantScore{std::move(program->mutants), std::move(*killed)};
}

Result<Answer> check_mutants(const std::string& folder, const Mep& mep, const DeviceChoice& device) {
  const auto speaking = device.speaking(mep.language);
  if (!speaking) return fail(speaking.error());
  worker::WorkerSessions sessions(speaking->options());
  const auto score = mutant_score(mep, sessions);
  if (!score) return fail(score.error());
  const auto& mutants = score->mutants;
  Answer answer;
  answer.text = fmt::format("{} of {} mutants killed\n", score->count(), mutants.size());
  auto survivors = nlohmann::json::array();
  for (const auto& mutant : mutants) {
    if (score->is_killed(mutant)) continue;
    answer.text +=
        fmt::format("  survived  kernel{}:{}  {}\n", source_extension(mep.language), mutant.line, mutant.what);
    survivors.push_back({{"line", mutant.line}, {"what", mutant.what}});
  }
  answer.data = {{"killed", score->count()}, {"mutants", mutants.size()}, {"survivors", survivors}};
  auto scored = mep;
  scored.fidelity.mutants_killed = score->count();
  scored.fidelity.mutants_total = static_cast<int>(mutants.size());
  if (auto written = os::write_text(folder + "/mep.toml", to_toml(scored)); !written)
    return fail(std::move(written).error());
  return answer;
}

Result<Answer> explain(const Mep& mep) {
  const auto lifted = lift_kernel(mep);
  Answer answer;
  answer.text = fmt::format("MEP {}, fidelity {}\n", mep.name, mep.fidelity.values);
  for (const auto& kernel : mep.kernels) {
    answer.text += fmt::format("kernel {}\n", kernel.name);
    const auto function = lifted ? ir::find_function(lifted->unit, kernel.name) : nullptr;
    const auto view = function ? affine::analyse(lifted->unit, function) : affine::View{};
    for (const auto& argument : kernel.arguments) {
      answer.text += fmt::format("  {}: {}\n", argument.name, argument.type.empty() ? "a sampler" : argument.type);
      std::set<std::string> seen;
      for (const auto& access : view.accesses)
        if (access.array == argument.name && seen.insert(access_words(access)).second)
          answer.text += "    " + access_words(access) + "\n";
      if (const auto extent =
              argument.kind == ArgumentSpec::Kind::Buffer ? affine::extent(view, argument.name) : std::nullopt)
        answer.text += fmt::format("    needs {} elements\n", extent->size.print());
    }
    each_launch(mep.workloads.front().launches, [&](const Launch& launch, const auto&) {
      if (launch.kernel != kernel.name) return;
      for (const auto& [name, binding] : launch.arguments)
        answer.text += fmt::format("  {} = {} ({})\n", name, binding.fields.empty() ? binding.value.print() : "{...}",
                                   print(binding.from));
    });
  }
  for (const auto& b : mep.buffers)
    answer.text +=
        fmt::format("buffer {}: {} x {}, {} ({})\n", b.name, b.extent.print(), b.type, b.fill, print(b.from));
  for (const auto& reason : mep.fidelity.reasons) answer.text += "because " + reason + "\n";
  answer.text += mep.fidelity.mutants_total == 0 ? std::string("mutants are not measured: hone check --mutants X.mep\n")
                                                 : fmt::format("{} of {} mutants killed\n", mep.fidelity.mutants_killed,
                                                               mep.fidelity.mutants_total);
  const auto values = guessed_values(mep);
  answer.text += values.empty() ? "nothing is guessed\n" : "to know better than guess:\n";
  for (const auto& value : values) answer.text += "  " + value + "\n";
  answer.data = {
      {"fidelity", std::string(1, mep.fidelity.values)}, {"reasons", mep.fidelity.reasons}, {"guessed", values}};
  return answer;
}

}  // namespace hone::app
