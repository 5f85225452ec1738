#include "app/replay.hpp"

#include <fmt/format.h>

#include "app/improve.hpp"
#include "app/search_report.hpp"
#include "base/text.hpp"
#include "os/gzip.hpp"
#include "search/budget_text.hpp"
#include "search/replay.hpp"
#include "search/t1_file.hpp"

namespace hone::app {

namespace {

nlohmann::json json_of(const Value& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

Result<search::ReplayOptions> options_of(const ReplayRequest& request) {
  const auto budget = search::parse_budget(request.budget);
  if (!budget) return fail(budget.error());
  search::ReplayOptions options;
  options.strategy = request.strategy;
  options.seed = request.seed;
  options.budget = *budget;
  if (request.target > 0) options.budget.target = request.target;
  if (request.no_gain > 0) options.budget.no_gain_for = request.no_gain;
  if (request.prior.empty()) return options;
  auto prior = load_prior(request.prior);
  if (!prior) return fail(std::move(prior).error());
  options.prior = std::move(*prior);
  return options;
}

}  // namespace

Result<Answer> replay(const ReplayRequest& request) {
  const auto options = options_of(request);
  if (!options) return fail(options.error());
  const auto text = os::read_maybe_gzip(request.file);
  if (!text) return fail(text.error());
  auto cache = search::read_measurements(*text);
  if (!cache) return fail(std::move(cache).error().context(request.file));
  const auto prepared = search::Replay::of(std::move(*cache));
  if (!prepared) return fail(prepared.error());
  const auto result = prepared->run(*options);
  if (!result) return fail(result.error());
  const auto insight = search::insight_of(prepared->region(), result->told);
  Answer answer;
  answer.data = {{"evaluations", result->order.size()},
                 {"seconds", result->spent.count()},
                 {"ended", result->ended},
                 {"optimum", result->optimum},
                 {"best_time", nullptr},
                 {"search", data_of(insight)}};
  if (!result->best || !result->best_time) {
    answer.code = ExitCode::No;
    answer.text =
        fmt::format("no configuration of {} evaluated ones worked ({})\n", result->order.size(), result->ended);
    return answer;
  }
  answer.data["best_time"] = *result->best_time;
  for (const auto& [name, value] : *result->best) answer.data["configuration"][name] = json_of(value);
  answer.text =
      fmt::format("{:.6g} after {} evaluations ({}), {:.1f}% of the best of all {}\n  {}\n{}", *result->best_time,
                  result->order.size(), result->ended, 100 * result->optimum / *result->best_time,
                  prepared->cache().entries.size(), print(*result->best), text_of(insight));
  return answer;
}

Result<Answer> describe_space(const std::string& file) {
  const auto text = os::read_maybe_gzip(file);
  if (!text) return fail(text.error());
  const auto t1 = search::read_t1(*text);
  if (!t1) {
    auto error = Error(t1.error()).context(file);
    const bool broken = error.code() == "E-JSON";
    return fail(broken ? std::move(error).with_next("python3 -m json.tool " + file) : std::move(error));
  }
  const auto region = search::Region::build(t1->space);
  if (!region) return fail(Error(region.error()).context(file));
  const auto product = static_cast<double>(region->product()), count = static_cast<double>(region->count());
  Answer answer;
  answer.text = fmt::format("{:.0f} points, {}{:.0f} of them within {} constraints\n", product,
                            region->exact() ? "" : "at most ", count, t1->space.constraints.size());
  answer.data = {{"points", product}, {"valid", count}, {"exact", region->exact()}};
  for (const auto& parameter : t1->space.parameters) {
    std::vector<std::string> values;
    auto& listed = answer.data["parameters"][parameter.name] = nlohmann::json::array();
    for (const auto& value : parameter.values) {
      values.push_back(print(value));
      listed.push_back(json_of(value));
    }
    if (values.size() > 12)
      values.insert(values.begin() + 6, "..."), values.erase(values.begin() + 7, values.end() - 5);
    answer.text += fmt::format("  {}: {}\n", parameter.name, join(values, " "));
  }
  return answer;
}

}  // namespace hone::app
