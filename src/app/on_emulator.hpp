#pragma once
// CUDA and HIP kernels where no GPU is: judge::EmulatedJudge over workers on the emulator, and what else needs no GPU.

#include <optional>
#include <string>

#include "app/commands.hpp"
#include "app/setting.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"
#include "judge/emulated.hpp"
#include "judge/operations.hpp"
#include "source/lift.hpp"
#include "worker/client.hpp"

namespace hone::app {

/// "emulator:cuda", "emulator:hip"; empty for a language that has none.
std::string emulator_of(Language language);
bool is_emulator(const std::string& device);

class OnEmulator {
 public:
  /// `architecture`: what a candidate must also compile for; empty: nothing.
  OnEmulator(const Mep& mep, const DeviceChoice& choice, std::string architecture);
  /// E-NONDETERMINISTIC when the original's answer depends on the order of its threads.
  Status original() { return judge_.original(); }
  /// Behind original(): a race that changed no answer.
  const std::optional<std::string>& own_race() const { return judge_.own_race(); }
  /// Why a candidate is out; nothing when it stays. Behind original().
  std::optional<std::string> against(const Variant& variant);

 private:
  std::optional<std::string> for_architecture(const Variant& variant) const;

  Mep mep_;
  DeviceChoice choice_;
  std::string architecture_;
  worker::WorkerSessions ascending_, descending_, watching_;
  source::ClangLifter lifter_;
  judge::InterpretedOperations operations_;
  judge::EmulatedJudge judge_;
};

/// hone check X.mep --device emulator:cuda: the original, or a candidate against it.
Result<Answer> check_on_emulator(const Mep& mep, const std::string& candidate, const DeviceChoice& choice);

}  // namespace hone::app
