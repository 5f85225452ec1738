// Contents that exercise K(0): tried by what it makes of them.

#include <fmt/format.h>

#include <algorithm>

#include "mep/contents.hpp"
#include "mep/trial.hpp"

namespace hone::mep {
namespace {

constexpr Milliseconds kTuneRun{30000};

/// Real scalars that nobody stated.
std::vector<std::string> chosen_reals(const Draft& draft) {
  std::vector<std::string> out;
  for (const auto& [name, value] : draft.fixed) {
    const auto from = draft.from.find(name);
    const bool chosen = from == draft.from.end() || from->second.kind == Provenance::Kind::Guessed;
    if (chosen && std::holds_alternative<double>(value)) out.push_back(name);
  }
  return out;
}

}  // namespace

Status settle_contents(Trial& trial, Draft& draft, Workload& tune) {
  auto attempt = trial.run(tune, false, kTuneRun);
  if (!attempt.ran)
    return fail("E-COMPLETE", "K(0) does not run at the sizes of tune: " + attempt.reason, "--set a smaller size");
  if (!attempt.ran->broken_guards.empty())
    return fail("E-EXTENT",
                fmt::format("the kernel writes outside of {} at the sizes of tune", attempt.ran->broken_guards.front()),
                "write a larger extent into mep.toml by hand");
  const auto doubt = doubtful(draft.mep, attempt.ran->outputs);
  if (!doubt) return {};
  const auto first = draft.mep.buffers;
  const auto scalars = tune.scalars;
  const auto good = [&] {
    attempt = trial.run(tune, false, kTuneRun);
    return attempt.clean() && !doubtful(draft.mep, attempt.ran->outputs);
  };
  const auto reals = chosen_reals(draft);
  for (const double value : {100.0, 0.1, 0.01}) {
    if (reals.empty() || trial.late()) break;
    for (const auto& name : reals) tune.scalars[name] = value;
    if (!good()) continue;
    for (auto& workload : draft.mep.workloads)
      for (const auto& name : reals) workload.scalars[name] = value;
    draft.because(fmt::format("real scalars that nobody stated are {}: otherwise {}", value, *doubt));
    return {};
  }
  tune.scalars = scalars;
  for (const auto& fill : calmer_fills()) {
    if (trial.late()) break;
    set_float_fills(draft.mep, fill);
    if (draft.mep.buffers == first) break;
    if (!good()) continue;
    draft.because(fmt::format("contents are {}: with {} {}", fill, first_fill(first), *doubt));
    return {};
  }
  draft.mep.buffers = first;
  tune.scalars = scalars;
  draft.because(*doubt + "; no other contents were better, so that the checks may not exercise the kernel");
  return {};
}

}  // namespace hone::mep
