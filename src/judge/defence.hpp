#pragma once
// The judge's defences by name. Each stops one way of being fooled, and each can be switched off, so that a test can
// show that it is needed.

#include <bitset>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::judge {

enum class Defence {
  StaticGate,          // what candidate source may contain
  PoisonedOutputs,     // outputs are overwritten before each run
  GuardZones,          // zones around every buffer stay untouched
  InputsUnchanged,     // what K(0) only reads is compared afterwards
  SeveralSeeds,        // other contents of the same sizes
  RepeatedRuns,        // the same problem again gives the same answer
  AwkwardSize,         // sizes that divide by nothing
  HeldOut,             // sizes no proposer ever saw
  FreshContents,       // timed runs see contents and addresses of their own
  OutputsAfterTiming,  // outputs are looked at after timing too
  NanInf,              // NaN or Inf only where K(0) has them
  Precision,           // error against a double-precision K(0)
  Races,               // races, bounds and divergent barriers under a checking device
  SourceHash,          // what was timed is what was sent
  ParentClock,         // the parent's clock agrees with the samples
  ImpossibleTime,      // no time below the compulsory traffic
  FreshWorkers         // challenger and incumbent in two fresh processes
};
constexpr std::size_t kDefences = 17;

std::string_view name_of(Defence defence);  // "static-gate", ...
std::optional<Defence> defence_named(std::string_view name);
std::vector<Defence> every_defence();

/// The ones that are on.
class Defences {
 public:
  static Defences all() { return Defences(std::bitset<kDefences>().set()); }
  static Defences none() { return Defences({}); }
  static Defences only(Defence defence) { return none().with(defence); }
  Defences with(Defence defence) const { return set(defence, true); }
  Defences without(Defence defence) const { return set(defence, false); }
  bool has(Defence defence) const { return on_.test(static_cast<std::size_t>(defence)); }

 private:
  explicit Defences(std::bitset<kDefences> on) : on_(on) {}
  Defences set(Defence defence, bool on) const {
    auto copy = on_;
    copy.set(static_cast<std::size_t>(defence), on);
    return Defences(copy);
  }
  std::bitset<kDefences> on_;
};

}  // namespace hone::judge
