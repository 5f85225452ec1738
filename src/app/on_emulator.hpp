#pragma once
// CUDA and HIP kernels where no GPU is: what a variant answers on the emulator, with threads in both orders, against
// what the original answers there. Answers only; a time of the emulator's would mean nothing.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/setting.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::app {

/// "emulator:cuda", "emulator:hip"; empty for a language that has none.
std::string emulator_of(Language language);
bool is_emulator(const std::string& device);

class OnEmulator {
 public:
  /// `architecture`: what a candidate must also compile for; empty: nothing.
  OnEmulator(const Mep& mep, const DeviceChoice& choice, std::string architecture);
  /// E-NONDETERMINISTIC when the original's answer depends on the order of its threads.
  Status original();
  /// Why a candidate is out; nothing when it stays. Behind original().
  std::optional<std::string> against(const Variant& variant);

 private:
  using Outputs = std::map<std::string, std::map<std::string, std::vector<std::uint8_t>>>;  // by workload
  Result<Outputs> outputs(const Variant& variant, const char* order);
  std::optional<std::string> difference(const Outputs& got) const;
  std::optional<std::string> for_architecture(const Variant& variant) const;

  const Mep& mep_;
  DeviceChoice choice_;
  std::string architecture_;
  Outputs wanted_;
};

/// hone check X.mep --device emulator:cuda: the original, or a candidate against it.
Result<Answer> check_on_emulator(const Mep& mep, const std::string& candidate, const DeviceChoice& choice);

}  // namespace hone::app
