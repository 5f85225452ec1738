#include "rules/survey.hpp"

#include <algorithm>

#include "core/launch_walk.hpp"
#include "ir/rewrite.hpp"
#include "rules/all_rules.hpp"
#include "rules/facts.hpp"
#include "rules/normal.hpp"
#include "rules/partial_sums.hpp"
#include "rules/schedule.hpp"

namespace hone::rules {

const std::vector<Offer>& Survey::of(const std::string& rule) const {
  static const std::vector<Offer> none;
  const auto found = offers.find(rule);
  return found == offers.end() ? none : found->second;
}

std::optional<int> Survey::lanes() const {
  if (!has("lanes")) return std::nullopt;
  const auto& along = of("lanes").front().arguments.front();
  return along.size() == 1 && along[0] >= '0' && along[0] <= '2' ? std::optional(along[0] - '0') : std::nullopt;
}

/// What divides its groups decides whether a rewrite is right.
static bool needs_group_size(const ir::NodePtr& function, const LaunchFacts& facts) {
  for (int d = 0; d < static_cast<int>(facts.dimensions); ++d)
    if (const auto geometry = geometry_for(function, facts, {d}); geometry && *geometry == Geometry::Exact) return true;
  return false;
}

/// After `registers`, which holds elements that a loop updates in memory, where that can be done.
static int most_sums(const LiftedKernel& lifted, const std::string& kernel) {
  const auto held = run(start(lifted, {}), {{"kernel", {kernel}}, {"registers", {}}});
  const auto& unit = held ? held->unit : lifted.unit;
  const auto function = in_numbers(unit, ir::find_function(unit, kernel));
  const Symbols symbols(function);
  std::size_t most = 0;
  for (const auto& loop : ir::find_all(function, ir::Kind::For))
    if (ir::find_all(ir::for_body(loop), ir::Kind::For).empty())
      most = std::max(most, gathered_by(loop, symbols).size());
  return static_cast<int>(most);
}

/// Of the first launch that is tuned, along each dimension; 0 where that is not one number.
static std::vector<long long> work_items(const LiftedKernel& lifted, const std::string& kernel) {
  std::vector<long long> out;
  for (const auto& workload : lifted.mep.workloads) {
    if (workload.role != Role::Tune) continue;
    each_launch(workload.launches, [&](const Launch& launch) {
      if (launch.kernel != kernel || !out.empty()) return;
      for (const auto& size : launch.global)
        out.push_back(size.evaluate_integer(environment_of(workload.scalars)).value_or(0));
    });
  }
  return out;
}

Survey survey(const LiftedKernel& lifted, const std::string& kernel, const PatchLimits& limits, bool on_processor) {
  Survey s;
  s.kernel = kernel;
  s.keep = !limits.may_change_launch(kernel);
  const auto function = ir::find_function(lifted.unit, kernel);
  if (auto reason = obstacle(lifted.unit, function); !reason.empty()) {
    s.declined.push_back("all rules (" + kernel + "): " + reason);
    return s;
  }
  const auto facts = launch_facts(lifted.mep, kernel);
  s.dimensions = facts.dimensions;
  s.sums = most_sums(lifted, kernel);
  s.items = work_items(lifted, kernel);
  const auto* limit = limits.applies ? limits.find(kernel) : nullptr;
  if (!s.keep && limit != nullptr && !limit->fixed_local && needs_group_size(function, facts)) {
    s.keep = true;
    s.declined.push_back(
        "other launch sizes (" + kernel +
        "): whether they are right depends on the size of its groups, which may be another in another run");
  }
  Schedule before = {{"kernel", {kernel}}};
  if (s.keep) before.push_back({"keep", {}});
  for (const auto* rule : all_rules()) {
    if (rule->offers == nullptr || (rule->for_processors && !on_processor)) continue;
    if (s.keep && rule->form.word == "workgroup") {
      if (limits.may_change_launch(kernel)) continue;
      s.declined.push_back("workgroup (" + kernel + "): the launch must stay as it is" +
                           (limit == nullptr ? "" : ": " + limit->place + ": " + limit->reason));
      continue;
    }
    auto offers = rule->offers(lifted, kernel, before);
    s.declined.insert(s.declined.end(), offers.declined.begin(), offers.declined.end());
    std::stable_sort(offers.made.begin(), offers.made.end(),
                     [](const Offer& a, const Offer& b) { return a.worth > b.worth; });
    // What stops work-items, and what is held in registers, lets the rules after it take more together.
    if (rule->form.word == "guard" || rule->form.word == "registers")
      for (const auto& offer : offers.made) before.push_back({std::string(rule->form.word), offer.arguments});
    s.offers[std::string(rule->form.word)] = std::move(offers.made);
  }
  const auto geometry = geometry_for(function, facts, {s.lanes().value_or(0)});
  if (!s.keep && geometry && *geometry == Geometry::Exact) s.grain = facts.grain;
  return s;
}

}  // namespace hone::rules
