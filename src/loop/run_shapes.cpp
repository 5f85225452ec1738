// The second result where there are several tune workloads: a configuration for each size that deserves one.

#include <fmt/format.h>

#include <algorithm>

#include "core/choice_by_size.hpp"
#include "loop/run.hpp"

namespace hone::loop {
namespace {

/// What a size must gain in screening to get a configuration of its own: less is not worth the text.
constexpr double worth_a_choice = 0.02;

}  // namespace

const Tuning* Run::tuning_of_winner() const {
  const auto& winner = best_proven().incumbent;
  const auto found = std::ranges::find_if(tunings_, [&](const Tuning& tuning) {
    return tuning.proposed().name == winner.template_name && tuning.proposer() == winner.proposer;
  });
  return found == tunings_.end() ? nullptr : &*found;
}

/// One variant that chooses by size, judged and proven like the winner; or the reason why there is none.
Result<ShapeResults> Run::results_by_shape() {
  ShapeResults out;
  const auto no = [&out](std::string why) {
    out.why_not = std::move(why);
    return out;
  };
  const auto groups = size_groups(mep_);
  if (groups.size() < 2) return no("the kernels do not get the sizes that differ as arguments");
  const auto* tuning = tuning_of_winner();
  if (tuning == nullptr) return no("the winner's search is not known");
  const auto& winner = best_proven().incumbent;
  const auto table = table_of(tuning->searched());
  out.own = own_configurations(groups, table, winner.configuration, worth_a_choice);
  if (out.own.empty()) return no("the general configuration is as fast as any other on every shape");
  std::vector<SizeCase> cases;
  for (const auto& own : out.own) {
    auto made = ports_.instantiate(tuning->proposed(), own.configuration);
    if (!made) return no(made.error().message());
    cases.push_back({own.when, std::move(*made)});
  }
  auto joined = choice_by_size(mep_, winner.variant, cases);
  if (!joined) return no(joined.error().message());
  out.variant = std::move(*joined);
  show("proving the choice by size");
  auto proof = confirm(out.variant, original_of(mep_), true);
  if (!proof) return fail(std::move(proof).error());
  if (!std::holds_alternative<Timed>(proof->verdict))
    return no(fmt::format("{}: {}", name_of(proof->verdict), reason_of(proof->verdict)));
  out.proof = std::move(*proof);
  return out;
}

bool Run::has_several_shapes() const { return std::ranges::count(mep_.workloads, Role::Tune, &Workload::role) > 1; }

Status Run::look_at_shapes() {
  if (!has_several_shapes() || !outcome_.proof || ports_.stop()) return {};
  auto results = results_by_shape();
  if (!results) return fail(std::move(results).error());
  outcome_.shapes = std::move(*results);
  return {};
}

}  // namespace hone::loop
