#include "app/replay.hpp"

#include <fmt/format.h>

#include "app/improve.hpp"
#include "os/gzip.hpp"
#include "search/replay.hpp"

namespace hone::app {

Result<Answer> replay(const ReplayRequest& request) {
  const auto budget = parse_budget(request.budget);
  if (!budget) return fail(budget.error());
  const auto text = os::read_maybe_gzip(request.file);
  if (!text) return fail(text.error());
  auto cache = search::read_measurements(*text);
  if (!cache) return fail(std::move(cache).error().context(request.file));
  const auto prepared = search::Replay::of(std::move(*cache));
  if (!prepared) return fail(prepared.error());
  search::ReplayOptions options;
  options.strategy = request.strategy;
  options.seed = request.seed;
  options.budget.evaluations = budget->evaluations;
  options.budget.seconds = budget->seconds;
  const auto result = prepared->run(options);
  if (!result) return fail(result.error());
  Answer answer;
  answer.data = {{"evaluations", result->order.size()},
                 {"seconds", result->spent.count()},
                 {"ended", result->ended},
                 {"optimum", result->optimum},
                 {"best_time", nullptr}};
  if (!result->best || !result->best_time) {
    answer.code = ExitCode::No;
    answer.text =
        fmt::format("no configuration of {} evaluated ones worked ({})\n", result->order.size(), result->ended);
    return answer;
  }
  answer.data["best_time"] = *result->best_time;
  for (const auto& [name, value] : *result->best)
    answer.data["configuration"][name] = std::visit([](const auto& v) { return nlohmann::json(v); }, value);
  answer.text =
      fmt::format("{:.6g} after {} evaluations ({}), {:.1f}% of the best of all {}\n  {}\n", *result->best_time,
                  result->order.size(), result->ended, 100 * result->optimum / *result->best_time,
                  prepared->cache().entries.size(), print(*result->best));
  return answer;
}

}  // namespace hone::app
