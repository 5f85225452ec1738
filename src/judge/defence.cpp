#include "judge/defence.hpp"

#include <array>

namespace hone::judge {
namespace {

using enum Defence;

constexpr std::array<DefenceRow, kDefences> kRows = {{
    {StaticGate, "static-gate", Moment::Source, "what candidate source may contain",
     "source, options and attributes allow-listed"},
    {PoisonedOutputs, "poisoned-outputs", Moment::Ran, "outputs are overwritten before each run",
     "outputs poisoned first"},
    {OldResults, "old-results", Moment::Ran,
     "outputs hold K(0)'s results of other inputs before checks and before every timed run",
     "results of other inputs in the outputs before every timed run"},
    {GuardZones, "guard-zones", Moment::Ran, "zones around every buffer stay untouched",
     "guard zones around every buffer"},
    {InputsUnchanged, "inputs-unchanged", Moment::Ran, "what K(0) only reads is compared afterwards",
     "inputs unchanged"},
    {SeveralSeeds, "several-seeds", Moment::Ran, "other contents of the same sizes", ""},
    {OtherContents, "other-contents", Moment::Ran,
     "other signs, scales and shapes of contents than the MEP declares, where K(0) stays defined and finite", ""},
    {RepeatedRuns, "repeated-runs", Moment::Ran, "the same problem again gives the same answer", ""},
    {AwkwardSize, "awkward-size", Moment::Ran, "sizes that divide by nothing", ""},
    {HeldOut, "held-out", Moment::Ran, "sizes no proposer ever saw", ""},
    {NamedSizes, "named-sizes", Moment::Ran, "sizes that the candidate's own text names, and their neighbours", ""},
    {FreshContents, "fresh-contents", Moment::Timed, "timed runs see contents and addresses of their own",
     "fresh contents when timed"},
    {OutputsAfterTiming, "outputs-after-timing", Moment::Timed,
     "no time counts unless that run's outputs were compared", "the outputs of every timed run compared"},
    {NanInf, "nan-inf", Moment::Ran, "NaN or Inf only where K(0) has them", ""},
    {Precision, "precision", Moment::Ran, "error against a double-precision K(0)", ""},
    {Races, "races", Moment::Ran, "races, bounds and divergent barriers under a checking device", ""},
    {Operations, "operations", Moment::Ran, "undefined operations that happen to work, by interpreting a small problem",
     ""},
    {SourceHash, "source-hash", Moment::Built, "what was timed is what was sent", ""},
    {ParentClock, "parent-clock", Moment::Compared, "the parent's clock agrees with the samples", ""},
    {ImpossibleTime, "impossible-time", Moment::Timed, "no time below the compulsory traffic", ""},
    {FreshWorkers, "fresh-workers", Moment::Compared, "challenger and incumbent in two fresh processes", ""},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kDefences; ++i)
    if (static_cast<std::size_t>(kRows.at(i).defence) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

const DefenceRow& row_of(Defence defence) { return kRows.at(static_cast<std::size_t>(defence)); }
std::string_view name_of(Defence defence) { return row_of(defence).name; }

std::optional<Defence> defence_named(std::string_view name) {
  for (const auto& row : kRows)
    if (row.name == name) return row.defence;
  return std::nullopt;
}

std::vector<Defence> every_defence() {
  std::vector<Defence> all;
  for (const auto& row : kRows) all.push_back(row.defence);
  return all;
}

}  // namespace hone::judge
