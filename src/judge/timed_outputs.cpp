#include "judge/timed_outputs.hpp"

#include <algorithm>

#include "judge/defence.hpp"

namespace hone::judge {
namespace {

Stop not_what_it_left(std::string why) {
  return Verdict(Unsafe{std::string(name_of(Defence::OutputsAfterTiming)), std::move(why)});
}

/// Drops the times of runs whose outputs are not among `compared`.
void keep_compared(TimesTaken& taken, const std::set<std::string>& compared) {
  TimesTaken kept = taken;
  kept.span.clear();
  kept.busy.clear();
  kept.output_hashes.clear();
  kept.ran.clear();
  kept.waited.clear();
  for (std::size_t i = 0; i < taken.output_hashes.size(); ++i) {
    if (!compared.contains(taken.output_hashes[i])) {
      kept.wall -= taken.span[i];  // the parent's clock is held against the samples that are left
      continue;
    }
    kept.span.push_back(taken.span[i]);
    kept.busy.push_back(taken.busy[i]);
    kept.output_hashes.push_back(taken.output_hashes[i]);
    if (i < taken.ran.size()) kept.ran.push_back(taken.ran[i]);
    if (i < taken.waited.size()) kept.waited.push_back(taken.waited[i]);
  }
  taken = std::move(kept);
}

}  // namespace

Checked<TimesTaken> TimedOutputs::time(RenewingSession& session, const Built& built,
                                       const std::vector<ConcreteLaunch>& launches, std::size_t runs, bool restore) {
  auto taken = session.time(built, launches, runs, restore, outputs_);
  if (!taken || outputs_.empty() || launches.empty()) return taken;
  if (taken->output_hashes.size() != taken->span.size())
    return stop(not_what_it_left("the worker does not say what every timed run left"));
  const auto known = [&](const std::string& hash) { return compared_.contains(hash); };
  if (std::ranges::all_of(taken->output_hashes, known)) return taken;
  if (auto looked = look(session, *taken); !looked) return stop(std::move(looked).error());
  keep_compared(*taken, compared_);
  return taken;
}

/// The outputs of the last run, which are still there.
Checked<std::monostate> TimedOutputs::look(RenewingSession& session, const TimesTaken& taken) {
  auto left = session.read(outputs_);
  if (!left) return stop(std::move(left).error());
  if (auto verdict = compare_(*left)) return stop(std::move(*verdict));
  OutputHash hash;
  for (const auto& name : outputs_) hash.add(hash_of_bytes(left->outputs.at(name)));
  if (hash.value() != taken.output_hashes.back())
    return stop(not_what_it_left("the last timed run did not leave what the worker says it left"));
  compared_.insert(hash.value());
  return {};
}

}  // namespace hone::judge
