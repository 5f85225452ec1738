#include "loop/by_shape.hpp"

#include <algorithm>
#include <set>

#include "core/choice_by_size.hpp"

namespace hone::loop {
namespace {

/// Whole numbers that are not the same in all tune workloads and that every kernel gets as an argument.
std::vector<std::string> telling_scalars(const Mep& mep) {
  std::map<std::string, std::set<Value>> values;
  for (const auto& workload : mep.workloads)
    if (workload.role == Role::Tune)
      for (const auto& [name, value] : workload.scalars) values[name].insert(value);
  std::vector<std::string> out;
  for (const auto& [name, seen] : values) {
    const bool whole =
        std::ranges::all_of(seen, [](const Value& value) { return std::holds_alternative<std::int64_t>(value); });
    const bool given = std::ranges::all_of(
        mep.kernels, [&](const KernelSpec& kernel) { return argument_for(mep, kernel, name).has_value(); });
    if (seen.size() > 1 && whole && given) out.push_back(name);
  }
  return out;
}

}  // namespace

std::vector<SizeGroup> size_groups(const Mep& mep) {
  const auto telling = telling_scalars(mep);
  std::vector<SizeGroup> out;
  if (telling.empty()) return out;
  for (const auto& workload : mep.workloads) {
    if (workload.role != Role::Tune) continue;
    std::map<std::string, Value> when;
    for (const auto& name : telling) when[name] = workload.scalars.at(name);
    auto group = std::ranges::find(out, when, &SizeGroup::when);
    if (group == out.end()) group = out.insert(out.end(), SizeGroup{std::move(when), {}});
    group->workloads.push_back(workload.name);
  }
  return out;
}

search::ShapeTable table_of(const Searched& searched) {
  search::ShapeTable table;
  for (std::size_t i = 0; i < searched.told.size(); ++i) {
    table.rows.emplace_back(searched.told[i].configuration, searched.by_workload[i]);
    for (const auto& [workload, outcome] : searched.by_workload[i])
      if (std::ranges::find(table.tune, workload) == table.tune.end()) table.tune.push_back(workload);
  }
  return search::merged(table);
}

std::vector<SizeChoice> own_configurations(const std::vector<SizeGroup>& groups, const search::ShapeTable& table,
                                           const Configuration& general, double floor) {
  std::vector<SizeChoice> out;
  const auto of_general = std::ranges::find(table.rows, general, &std::pair<Configuration, search::ByShape>::first);
  if (of_general == table.rows.end()) return out;
  for (const auto& group : groups) {
    const auto best = search::best_for(table, group.workloads);
    const auto rest = search::combined(of_general->second, group.workloads);
    if (!best || rest.kind != search::Outcome::Kind::Measured || best->configuration == general) continue;
    const double gain = rest.value / best->mean - 1;
    if (gain > floor) out.push_back({group.when, group.workloads, best->configuration, gain});
  }
  return out;
}

bool is_worth_it(const ShapeResults& results, const Confirmation& general) {
  return results.proof && results.proof->proves_faster() && results.proof->comparison.ratio >= general.comparison.ratio;
}

}  // namespace hone::loop
