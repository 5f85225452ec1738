#include "app/tuned_answer.hpp"

#include <fmt/format.h>

#include "app/search_report.hpp"

namespace hone::app {

const loop::Searched* chosen_search(const loop::Outcome& outcome) {
  for (const auto& each : outcome.tuned)
    if (each.template_name == outcome.winner.template_name) return &each;
  return outcome.tuned.empty() ? nullptr : &outcome.tuned.front();
}

Status add_insight(Answer& answer, const loop::Outcome& outcome) {
  const auto* searched = chosen_search(outcome);
  if (searched == nullptr) return {};
  const auto insight = search::insight_of(searched->space, searched->told);
  if (!insight) return fail(insight.error());
  answer.text += fmt::format("Search of {}{}\n{}", searched->template_name,
                             outcome.ended.empty() ? "" : ", ended by: " + outcome.ended, text_of(*insight));
  answer.data["search"] = data_of(*insight);
  answer.data["search"]["ended"] = outcome.ended;
  const auto choice = choice_of(*searched);
  if (choice.per_shape.size() < 2) return {};
  for (const auto& [workload, configuration] : choice.per_shape) {
    answer.text += fmt::format("  fastest on {}: {}\n", workload, print(configuration));
    answer.data["search"]["fastest"][workload] = print(configuration);
  }
  return {};
}

}  // namespace hone::app
