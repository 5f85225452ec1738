#include "app/on_emulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/instantiate.hpp"
#include "base/text.hpp"
#include "core/launches.hpp"
#include "judge/outputs.hpp"

namespace hone::app {
namespace {

constexpr Milliseconds kRunning{60'000};
constexpr std::string_view kPrefix = "emulator:";

/// And not about a compiler or an emulator that is not here.
bool is_about_the_kernel(const Error& error) {
  constexpr std::array<std::string_view, 4> kCodes = {"E-BUILD", "E-LAUNCH", "E-WORKER", "E-NONDETERMINISTIC"};
  return std::ranges::find(kCodes, error.code()) != kCodes.end();
}

}  // namespace

std::string emulator_of(Language language) {
  return language == Language::OpenCL ? std::string() : std::string(kPrefix) + std::string(name_of(language));
}
bool is_emulator(const std::string& device) { return device.starts_with(kPrefix); }

OnEmulator::OnEmulator(const Mep& mep, const DeviceChoice& choice, std::string architecture)
    : mep_(mep), choice_(choice), architecture_(std::move(architecture)) {}

Status OnEmulator::original() {
  const Variant variant{mep_.language, mep_.source, {}, mep_.options};
  auto first = outputs(variant, "ascending");
  if (!first) return fail(std::move(first).error().context("the original on the emulator"));
  const auto turned = outputs(variant, "descending");
  if (!turned) return fail(Error(turned.error()).context("the original on the emulator"));
  wanted_ = std::move(*first);
  if (const auto differs = difference(*turned))
    return fail("E-NONDETERMINISTIC",
                "the original answers differently when its threads run in another order, so it races or relies on "
                "lock step: " +
                    *differs);
  return {};
}

std::optional<std::string> OnEmulator::against(const Variant& variant) {
  for (const auto* order : {"ascending", "descending"}) {
    const auto got = outputs(variant, order);
    if (!got) return got.error().message();
    if (auto differs = difference(*got)) return std::move(*differs) + " (threads " + order + ")";
  }
  return architecture_.empty() ? std::nullopt : for_architecture(variant);
}

/// What a variant leaves on each workload, in a worker of its own; or why it does not come to its end there.
Result<OnEmulator::Outputs> OnEmulator::outputs(const Variant& variant, const char* order) {
  auto options = choice_.options();
  options.device = emulator_of(mep_.language);
  options.environment["CUDA_EMULATOR_ORDER"] = order;
  options.limit = kRunning;
  auto started = worker::WorkerSessions(options).start();
  if (!started) return fail(std::move(started).error());
  auto& session = **started;
  const auto built = session.build(variant.source, variant.options);
  if (const auto* refused = std::get_if<NotBuilt>(&built))
    return fail("E-BUILD", "does not build: " + refused->log.substr(0, 500));
  if (const auto* gone = std::get_if<WorkerLost>(&built)) return fail("E-WORKER", gone->reason);
  Outputs out;
  for (const auto& workload : mep_.workloads) {
    const auto problem = concretise(mep_, workload, variant.launches, session.device(), 1);
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

std::optional<std::string> OnEmulator::difference(const Outputs& got) const {
  for (const auto& [workload, outputs] : wanted_)
    for (const auto& [name, bytes] : outputs) {
      const auto buffer = std::ranges::find(mep_.buffers, name, &BufferSpec::name);
      judge::CompareRule rule;
      rule.relative = mep_.check.relative;
      rule.tolerance = mep_.check.tolerance;
      const auto& type = buffer == mep_.buffers.end() ? std::string("uchar") : buffer->type;
      if (const auto wrong = judge::compare_output(type, bytes, got.at(workload).at(name), rule))
        return fmt::format("{}: {}[{}] is {:g}, the original has {:g}", workload, name, wrong->element, wrong->got,
                           wrong->wanted);
    }
  return std::nullopt;
}

std::optional<std::string> OnEmulator::for_architecture(const Variant& variant) const {
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

Result<Answer> check_on_emulator(const Mep& mep, const std::string& candidate, const DeviceChoice& choice) {
  if (choice.device != emulator_of(mep.language))
    return fail("E-LANGUAGE", fmt::format("{} is written in {}, and {} is not for it", mep.name, name_of(mep.language),
                                          choice.device));
  OnEmulator checks(mep, choice, "");
  Answer answer;
  std::optional<std::string> out;
  if (auto sound = checks.original(); !sound) {
    if (!is_about_the_kernel(sound.error())) return fail(std::move(sound).error());
    out = sound.error().message();
  } else if (!candidate.empty()) {
    const auto proposed = load_template(candidate);
    if (!proposed) return fail(proposed.error());
    const auto variant = Instantiator(mep)(*proposed, default_configuration(proposed->space));
    if (!variant) return fail(variant.error());
    out = checks.against(*variant);
  }
  const std::string subject = candidate.empty() ? "the original" : candidate;
  answer.code = out ? ExitCode::No : ExitCode::Yes;
  answer.text =
      (out ? fmt::format("{} does not hold on the emulator: {}\n", subject, *out)
           : fmt::format("{} holds on the emulator: {} workloads, threads in both orders, within its buffers\n",
                         subject, mep.workloads.size())) +
      "nothing was timed: the emulator's times say nothing of a GPU\n";
  answer.data = {{"emulated", true},
                 {"timed", false},
                 {"holds", !out},
                 {"reason", out.value_or("")},
                 {"workloads", mep.workloads.size()}};
  return answer;
}

}  // namespace hone::app
