#include "rules/launch_facts.hpp"

#include <algorithm>
#include <numeric>

#include "core/launch_walk.hpp"
#include "core/provenance_text.hpp"

namespace hone::rules {
namespace {

bool is_zero(const Expression& e) { return e == Expression::literal(std::int64_t{0}); }

void note_groups(LaunchFacts& facts, const Launch& launch, const Workload& workload) {
  if (launch.local.empty() || !is_proof(launch.sizes)) {  // a guessed work-group proves nothing
    facts.grouped = false;
    return;
  }
  for (std::size_t d = 0; d < facts.grain.size(); ++d) {
    long long size = 1;
    if (d < launch.local.size()) {
      const auto value = launch.local[d].evaluate_integer(environment_of(workload.scalars));
      size = value ? *value : 1;
    }
    facts.grain[d] = std::gcd(facts.grain[d], size);
  }
}

/// The arguments that are seen to be the launch's size along each dimension; only those that were at launches before.
void note_sizes(LaunchFacts& facts, const Launch& launch, bool first) {
  for (std::size_t d = 0; d < facts.sizes.size(); ++d) {
    std::set<std::string> here;
    for (const auto& [argument, binding] : launch.arguments)
      if (d < launch.global.size() && is_proof(launch.sizes) && is_proof(binding.from) &&
          binding.value == launch.global[d] && (first || facts.sizes[d].count(argument) != 0))
        here.insert(argument);
    facts.sizes[d] = std::move(here);
  }
}

}  // namespace

bool LaunchFacts::distinct(const std::string& a, const std::string& b) const {
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(arguments.begin(), arguments.end(), name) - arguments.begin());
  };
  const auto i = place(a), j = place(b);
  if (!launched || i == j || i >= arguments.size() || j >= arguments.size()) return false;
  return std::all_of(buffers.begin(), buffers.end(),
                     [&](const auto& bound) { return !bound[i].empty() && !bound[j].empty() && bound[i] != bound[j]; });
}

LaunchFacts launch_facts(const Mep& mep, const std::string& kernel) {
  LaunchFacts facts;
  facts.grouped = true;
  facts.grain = {0, 0, 0};
  facts.sizes.resize(3);
  const auto* spec = find_kernel(mep, kernel);
  for (const auto& argument : spec ? spec->arguments : std::vector<ArgumentSpec>{})
    facts.arguments.push_back(argument.name);
  for (const auto& workload : mep.workloads)
    each_launch(workload.launches, [&](const Launch& launch) {
      if (launch.kernel != kernel) return;
      note_sizes(facts, launch, !facts.launched);
      facts.launched = true;
      facts.dimensions = std::max(facts.dimensions, launch.global.size());
      facts.offset = facts.offset || !std::all_of(launch.offset.begin(), launch.offset.end(), is_zero);
      note_groups(facts, launch, workload);
      std::vector<std::string> bound(facts.arguments.size());
      for (std::size_t i = 0; i < bound.size(); ++i) {
        const auto found = launch.arguments.find(facts.arguments[i]);
        // Only a bare buffer name is certain; a ping-pong binding may be any of several, and a guess may be anything.
        if (found != launch.arguments.end() && is_proof(found->second.from) &&
            found->second.value.root().kind == Expression::Kind::Name)
          bound[i] = found->second.value.root().text;
      }
      facts.buffers.push_back(std::move(bound));
    });
  facts.grouped = facts.grouped && facts.launched;
  for (auto& g : facts.grain) g = std::max(g, 1LL);
  return facts;
}

}  // namespace hone::rules
