// What stood between a candidate and its claim, in sentences: only what really ran.

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/drawn_size.hpp"
#include "judge/judge.hpp"

namespace hone::judge {

std::vector<std::string> Judge::checks_made(const std::optional<Workload>& drawn, std::size_t named, bool watched,
                                            bool interpreted) const {
  std::vector<std::string> out;
  const auto seeds = on(Defence::SeveralSeeds) ? options_.seeds : 1;
  const auto repeats = on(Defence::RepeatedRuns) ? options_.repeats : 1;
  out.push_back(
      fmt::format("outputs against the original on {} tuned, {} held-out and {} awkward workloads, {} seeds "
                  "each, {} runs of one problem agreeing",
                  workloads(Role::Tune).size(), on(Defence::HeldOut) ? workloads(Role::HeldOut).size() : 0,
                  on(Defence::AwkwardSize) ? workloads(Role::Awkward).size() : 0, seeds, repeats));
  if (ports_.own_check != nullptr)
    out.emplace_back("outputs by the person's own check command, in the place of their types' rule");
  if (drawn) out.push_back(fmt::format("{}: {}", passed_at_drawn_size, drawn->name));
  if (named > 0) out.push_back(fmt::format("outputs at {} sizes that its own text names", named));
  std::vector<std::string> around;
  for (const auto defence : every_defence())
    if (on(defence) && !row_of(defence).sentence.empty()) around.emplace_back(row_of(defence).sentence);
  if (!around.empty()) out.push_back(join(around, ", "));
  std::vector<std::string> contents;
  for (const auto& other : others_.value_or(std::vector<OtherContents>()))
    contents.push_back(other.shape.name + (other.workload.role == Role::Tune ? " (" + other.workload.name + ")" : ""));
  if (!contents.empty()) out.push_back("contents the MEP does not declare: " + join(contents, ", "));
  if (on(Defence::Precision) && reference_.is_precise())
    out.emplace_back("no less precise than the original, against the original computed in double");
  if (watched)
    out.push_back(fmt::format("no race, no access out of bounds and no divergent barrier under {} at a small size",
                              ports_.races->name()));
  if (interpreted)
    out.emplace_back(
        "no undefined operation when it is interpreted at a small size, and in some groups at the tuned ones");
  if (on(Defence::ImpossibleTime) && ports_.speed != nullptr)
    out.emplace_back("no time below what the device needs to move the bytes that must move");
  return out;
}

std::vector<std::string> Judge::checks_of_comparison(const Comparison& comparison) const {
  auto out = fmt::format("{} pairs, warm caches, interleaved with the other kernel", comparison.pairs);
  if (on(Defence::FreshWorkers)) out += " in fresh sandboxed workers";
  if (on(Defence::ParentClock)) out += ", the parent's clock agreeing";
  return {out};
}

}  // namespace hone::judge
