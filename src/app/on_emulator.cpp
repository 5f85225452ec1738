#include "app/on_emulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/instantiate.hpp"
#include "app/judge_setup.hpp"

namespace hone::app {
namespace {

constexpr Milliseconds kRunning{60'000};
constexpr std::string_view kPrefix = "emulator:";

/// And not about a compiler or an emulator that is not here.
bool is_about_the_kernel(const Error& error) {
  constexpr std::array<std::string_view, 4> kCodes = {"E-BUILD", "E-LAUNCH", "E-WORKER", "E-NONDETERMINISTIC"};
  return std::ranges::find(kCodes, error.code()) != kCodes.end();
}

worker::WorkerOptions workers(const DeviceChoice& choice, Language language,
                              const std::map<std::string, std::string>& environment) {
  auto options = choice.options();
  options.device = emulator_of(language);
  options.environment.insert(environment.begin(), environment.end());
  options.limit = kRunning;
  return options;
}

judge::JudgeOptions efforts() {
  judge::JudgeOptions options;
  options.seeds = 2;
  options.repeats = 1;  // what differs from run to run here does so with the order of threads, which is turned round
  return options;
}

std::optional<Variant> in_double(const Mep& mep) {
  auto precise = precise_of(mep);
  return precise ? std::move(*precise) : std::nullopt;
}

}  // namespace

std::string emulator_of(Language language) {
  return language == Language::OpenCL ? std::string() : std::string(kPrefix) + std::string(name_of(language));
}
bool is_emulator(const std::string& device) { return device.starts_with(kPrefix); }

OnEmulator::OnEmulator(const Mep& mep, const DeviceChoice& choice, std::string architecture)
    : mep_(mep),
      choice_(choice),
      architecture_(std::move(architecture)),
      ascending_(workers(choice, mep.language, {})),
      descending_(workers(choice, mep.language, judge::descending_emulator_environment())),
      watching_(workers(choice, mep.language, judge::watching_emulator_environment())),
      operations_(lifter_, mep_),
      judge_(mep_, {&ascending_, &descending_, &watching_, &operations_, in_double(mep_)}, efforts()) {}

std::optional<std::string> OnEmulator::against(const Variant& variant) {
  const auto refused = judge_.refusal(variant);
  if (!refused) return refused.error().message();
  if (!*refused) return architecture_.empty() ? std::nullopt : for_architecture(variant);
  const auto defence = defence_of(**refused);
  return fmt::format("{}{}: {}", name_of(**refused), defence.empty() ? "" : " by " + std::string(defence),
                     reason_of(**refused));
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
      out ? fmt::format("{} does not hold on the emulator: {}\n", subject, *out)
          : fmt::format("{} holds on the emulator: {} workloads, threads in both orders, within its buffers\n", subject,
                        mep.workloads.size());
  if (checks.own_race())
    answer.text += "  the original has a race of its own that changed no answer: " + *checks.own_race() + "\n";
  answer.text += "nothing was timed: the emulator's times say nothing of a GPU\n";
  answer.data = {{"emulated", true},
                 {"timed", false},
                 {"holds", !out},
                 {"reason", out.value_or("")},
                 {"own_race", checks.own_race().value_or("")},
                 {"workloads", mep.workloads.size()}};
  return answer;
}

}  // namespace hone::app
