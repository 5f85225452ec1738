#include "app/judge_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/instantiate.hpp"
#include "ir/in_double.hpp"
#include "ir/print.hpp"
#include "os/files.hpp"
#include "store/device_lock.hpp"
#include "store/noise_file.hpp"

namespace hone::app {
namespace {

worker::WorkerOptions watched(worker::WorkerOptions options) {
  options.device.clear();
  options.compiled.reset();
  options.environment = judge::oclgrind_environment();
  return options;
}

/// Where a kernel cannot be cut down to a size that oclgrind does quickly, a short run says that it was not watched.
Milliseconds patience_with_oclgrind(std::optional<Seconds> budget) {
  constexpr Seconds kLeast{5}, kMost{60};
  return budget ? std::clamp(*budget / 2, kLeast, kMost) : kMost;
}

/// What can be timed by one at a time only: the processors of this machine, however they are driven, or one device.
std::string place_of(const DeviceChoice& choice, const DeviceInfo& device) {
  return choice.worker + " " + (device.kind == "cpu" ? "processors" : device.id + " " + device.name);
}

void tell(const std::string& line) { fmt::print(stderr, "{}\n", line); }

}  // namespace

Result<std::optional<Variant>> precise_of(const Mep& mep) {
  const bool has_floats = std::ranges::any_of(mep.buffers, [](const BufferSpec& buffer) {
    const auto type = element_type(buffer.type);
    return type && type->scalar == "float";
  });
  if (!has_floats) return std::nullopt;
  const auto lifted = lift_kernel(mep);
  if (!lifted) return fail(lifted.error());
  const auto unit = ir::in_double(lifted->unit);
  if (!unit) return fail(unit.error());
  auto source = ir::print(*unit);
  if (!source) return fail(std::move(source).error());
  const std::string doubles = mep.language == Language::OpenCL ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  Variant precise{mep.language, doubles + *source, {}, {}};
  std::ranges::copy_if(mep.options, std::back_inserter(precise.options), [](const std::string& option) {
    return option.starts_with("-D") || option.starts_with("-cl-std=");
  });
  return precise;
}

JudgeSetup::JudgeSetup(const DeviceChoice& choice, TimeLedger* ledger)
    : plain_sessions_(choice.options()),
      plain_watched_(watched(choice.options())),
      ledger_(ledger != nullptr ? *ledger : own_ledger_.emplace(steady_now)),
      sessions_(plain_sessions_, ledger_),
      watched_(plain_watched_, ledger_, Activity::Races) {}

Result<std::unique_ptr<JudgeSetup>> JudgeSetup::open(const Mep& mep, const DeviceChoice& asked,
                                                     const JudgeWishes& wishes, TimeLedger* ledger) {
  const auto state = state_folder();
  if (!state) return fail(state.error());
  const auto speaking = asked.speaking(mep.language);
  if (!speaking) return fail(speaking.error());
  const auto& choice = *speaking;
  std::unique_ptr<JudgeSetup> setup(new JudgeSetup(choice, ledger));
  const auto device_of = [raw = setup.get()] { return raw->device_; };
  setup->plain_turns_ = store::device_turns(
      {store::common_folder(*state), [choice, device_of] { return place_of(choice, device_of()); }, tell});
  setup->noise_ = std::make_unique<store::NoiseFile>(*state, device_of);
  judge::JudgeOptions options;
  options.seed = wishes.seed;
  options.in_background = true;
  if (wishes.budget)
    options.longest_comparison = std::clamp(*wishes.budget / 4, Seconds(2), options.longest_comparison);
  judge::JudgePorts ports;
  ports.turns = &setup->turns_.emplace(*setup->plain_turns_, setup->ledger_);
  ports.noise = setup->noise_.get();
  if (!wishes.check_command.empty()) ports.own_check = &setup->check_command_.emplace(wishes.check_command);
  // A worker elsewhere may not have oclgrind; one here is worth asking.
  if (mep.language == Language::OpenCL && choice.worker.empty() && !os::find_program("oclgrind").empty())
    ports.races = &setup->watcher_.emplace(setup->watched_, patience_with_oclgrind(wishes.budget));
  setup->mep_ = mep;
  ports.operations = &setup->operations_.emplace(setup->lifter_, setup->mep_);
  auto& speed = setup->speed_.emplace(setup->sessions_, *state);
  if (mep.language == Language::OpenCL) ports.speed = &speed;  // of other devices no ceilings are known
  if (auto precise = precise_of(mep))
    ports.precise = std::move(*precise);
  else
    ports.notes.push_back("no double-precision K(0), so the type's tolerance holds alone: " +
                          precise.error().message());
  setup->judge_.emplace(mep, setup->sessions_, options, std::move(ports));
  auto device = setup->judge_->device();
  if (!device) return fail(std::move(device).error());
  setup->device_ = std::move(*device);
  if (setup->device_.kind == "emulator")
    return fail("E-EMULATED", "the emulator gives answers and no times: nothing is judged on it",
                "hone check X.mep --for sm_80");
  return setup;
}

}  // namespace hone::app
