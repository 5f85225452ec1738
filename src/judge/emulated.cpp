#include "judge/emulated.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "core/launches.hpp"
#include "core/sized_options.hpp"
#include "judge/outputs.hpp"

namespace hone::judge {
namespace {

constexpr Milliseconds kWatching{60'000};

JudgePorts ports_of(const EmulatorPorts& given, RaceChecker* races) {
  JudgePorts ports;
  ports.races = races;
  ports.operations = given.operations;
  ports.precise = given.precise;
  return ports;
}

bool is_divergence(const std::string& finding) { return finding.find(": divergent barrier: ") != std::string::npos; }

/// What does not depend on the order of threads was looked at before.
JudgeOptions turned_round(JudgeOptions options) {
  options.seeds = 1;
  options.defences = options.defences.without(Defence::OtherContents).without(Defence::OldResults);
  return options;
}

}  // namespace

std::map<std::string, std::string> descending_emulator_environment() {
  return {{"CUDA_EMULATOR_ORDER", "descending"}, {"CUDA_EMULATOR_SHARED", "255"}};
}

EmulatedJudge::EmulatedJudge(const Mep& mep, EmulatorPorts ports, JudgeOptions options)
    : mep_(mep),
      ports_(std::move(ports)),
      watcher_(*ports_.watching),
      ascending_(mep, *ports_.ascending, options, ports_of(ports_, &watcher_)),
      descending_(mep, *ports_.descending, turned_round(options), JudgePorts{}) {}

EmulatedJudge::Watching::Watching(DeviceSessions& sessions) : watcher_(sessions, kWatching, first_race) {}

Result<std::optional<std::string>> EmulatedJudge::Watching::watch(const Variant& variant, const Problem& problem) {
  auto found = watcher_.watch(variant, problem);
  if (found && *found && diverges_by_itself && is_divergence(**found)) return std::optional<std::string>();
  return found;
}

Status EmulatedJudge::original() {
  const auto first = outputs(*ports_.ascending);
  if (!first) return fail(Error(first.error()).context("the original on the emulator"));
  const auto turned = outputs(*ports_.descending);
  if (!turned) return fail(Error(turned.error()).context("the original on the emulator, threads descending"));
  if (const auto differs = difference(*first, *turned))
    return fail(
        "E-NONDETERMINISTIC",
        "the original answers differently when its threads run in another order and shared memory is not zero at "
        "first, so it races, relies on lock step or reads what nobody wrote: " +
            *differs);
  watch_original();
  return {};
}

/// A race that changes no answer is told, and is not held against the original.
void EmulatedJudge::watch_original() {
  const auto variant = hone::judge::original(mep_);
  auto device = ascending_.device();
  const auto* workload = find_workload(mep_, Role::Awkward);
  if (workload == nullptr) workload = find_workload(mep_, Role::Tune);
  if (!device || workload == nullptr) return;
  const auto small = shrink(mep_, *workload, variant, *device);
  const auto problem = concretise(mep_, small, {}, *device, 1);
  if (!problem) return;
  if (auto found = watcher_.watch(at_sizes(variant, small), *problem)) own_race_ = std::move(*found);
  watcher_.diverges_by_itself = own_race_ && is_divergence(*own_race_);
}

Result<std::optional<Verdict>> EmulatedJudge::refusal(const Variant& variant) {
  for (auto* judge : {&ascending_, &descending_}) {
    auto refused = judge->refusal(variant);
    if (!refused || *refused) return refused;
  }
  return std::nullopt;
}

/// What the original leaves on each workload, in a worker of its own; or why it does not come to its end there.
Result<EmulatedJudge::Outputs> EmulatedJudge::outputs(DeviceSessions& sessions) const {
  auto started = sessions.start();
  if (!started) return fail(std::move(started).error());
  auto& session = **started;
  Outputs out;
  for (const auto& workload : mep_.workloads) {
    const auto variant = at_sizes(hone::judge::original(mep_), workload);
    const auto built = session.build(variant.source, variant.options);
    if (const auto* refused = std::get_if<NotBuilt>(&built))
      return fail("E-BUILD", "does not build: " + refused->log.substr(0, 500));
    if (const auto* gone = std::get_if<WorkerLost>(&built)) return fail("E-WORKER", gone->reason);
    const auto problem = concretise(mep_, workload, {}, session.device(), 1);
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

std::optional<std::string> EmulatedJudge::difference(const Outputs& wanted, const Outputs& got) const {
  for (const auto& [workload, outputs] : wanted)
    for (const auto& [name, bytes] : outputs) {
      if (std::ranges::find(mep_.check.unordered, name) != mep_.check.unordered.end()) continue;
      const auto buffer = std::ranges::find(mep_.buffers, name, &BufferSpec::name);
      CompareRule rule;
      rule.relative = mep_.check.relative;
      rule.tolerance = mep_.check.tolerance;
      const auto& type = buffer == mep_.buffers.end() ? std::string("uchar") : buffer->type;
      for (const auto& field : fields_of(type, mep_.structs, bytes)) {
        const auto fields = fields_of(type, mep_.structs, got.at(workload).at(name));
        const auto other = std::ranges::find(fields, field.name, &FieldView::name);
        if (other == fields.end()) continue;
        if (const auto wrong = compare_output(field.type, field.bytes, other->bytes, rule))
          return fmt::format("{}: {}[{}] is {:g}, and {:g} the other way", workload, name, wrong->element,
                             wrong->wanted, wrong->got);
      }
    }
  return std::nullopt;
}

}  // namespace hone::judge
