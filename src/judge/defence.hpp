#pragma once
// The judge's defences by name. Each stops one way of being fooled, and each can be switched off, so that a test can
// show that it is needed. A defence is a word here and a row in defence.cpp; names, documents and sentences read the
// rows.

#include <bitset>
#include <optional>
#include <string_view>
#include <vector>

namespace hone::judge {

enum class Defence {
  StaticGate,
  PoisonedOutputs,
  OldResults,
  GuardZones,
  InputsUnchanged,
  SeveralSeeds,
  OtherContents,
  RepeatedRuns,
  AwkwardSize,
  HeldOut,
  NamedSizes,
  FreshContents,
  OutputsAfterTiming,
  NanInf,
  Precision,
  Races,
  Operations,
  SourceHash,
  ParentClock,
  ImpossibleTime,
  FreshWorkers,
};
constexpr std::size_t kDefences = 21;

/// When it looks.
enum class Moment { Source, Built, Ran, Timed, Compared };

struct DefenceRow {
  Defence defence;
  std::string_view name;  // "static-gate"
  Moment moment;
  std::string_view what;      // it does, for documents: "outputs are overwritten before each run"
  std::string_view sentence;  // of a claim that it stood before: "outputs poisoned first"; empty: another tells
};
const DefenceRow& row_of(Defence defence);

std::string_view name_of(Defence defence);
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
