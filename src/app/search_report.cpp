#include "app/search_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "os/files.hpp"
#include "search/cache_file.hpp"
#include "search/t1_file.hpp"

namespace hone::app {

namespace {

constexpr std::size_t most_shown = 4;
constexpr double least_shown = 0.01, nanoseconds_per_millisecond = 1e6;

std::vector<search::MeasuredEntry> entries_of(const loop::Searched& searched) {
  std::vector<search::MeasuredEntry> entries;
  for (const auto& [configuration, outcome] : searched.told) {
    if (outcome.kind == search::Outcome::Kind::Censored) continue;
    auto known = std::ranges::find(entries, configuration, &search::MeasuredEntry::configuration);
    if (known == entries.end()) {
      entries.push_back({configuration, search::Outcome::failed(), {}, 0, 0, 0, 0, ""});
      known = entries.end() - 1;
    }
    if (outcome.kind == search::Outcome::Kind::Failed) {
      known->outcome = outcome;
      known->samples.clear();
      continue;
    }
    known->samples.push_back(outcome.value / nanoseconds_per_millisecond);
    double logs = 0;
    for (const double sample : known->samples) logs += std::log(sample);
    known->outcome = search::Outcome::measured(std::exp(logs / static_cast<double>(known->samples.size())));
    known->benchmark_ms = known->samples.front() * static_cast<double>(known->samples.size());
  }
  return entries;
}

}  // namespace

std::string text_of(const search::Insight& insight) {
  std::vector<std::string> mattered, together;
  for (const auto& each : insight.importance)
    if (each.share >= least_shown && mattered.size() < most_shown)
      mattered.push_back(fmt::format("{} {:.0f}%", each.parameter, 100 * each.share));
  for (const auto& each : insight.interactions)
    if (each.share >= least_shown && together.size() < most_shown)
      together.push_back(fmt::format("{} with {} {:.0f}%", each.first, each.second, 100 * each.share));
  std::string out =
      fmt::format("  measured {}, failed {}, stopped early {}\n", insight.measured, insight.failed, insight.censored);
  if (mattered.empty()) return out;
  out += "  what mattered: " + join(mattered, ", ") + (together.empty() ? "" : "; " + join(together, ", ")) + "\n";
  out += fmt::format("  {:.0f}% chance that an untried configuration is at least 1% faster; expected gain {:.1f}%\n",
                     100 * insight.probability_of_better, 100 * insight.expected_gain);
  return out;
}

nlohmann::json data_of(const search::Insight& insight) {
  nlohmann::json out = {{"measured", insight.measured},
                        {"failed", insight.failed},
                        {"stopped_early", insight.censored},
                        {"probability_of_better", insight.probability_of_better},
                        {"expected_gain", insight.expected_gain},
                        {"importance", nlohmann::json::array()},
                        {"interactions", nlohmann::json::array()},
                        {"convergence", nlohmann::json::array()}};
  for (const auto& each : insight.importance)
    out["importance"].push_back({{"parameter", each.parameter}, {"share", each.share}});
  for (const auto& each : insight.interactions)
    out["interactions"].push_back({{"first", each.first}, {"second", each.second}, {"share", each.share}});
  for (const auto& each : insight.convergence)
    out["convergence"].push_back({{"evaluation", each.evaluation}, {"value", each.value}});
  return out;
}

search::ShapeChoice choice_of(const loop::Searched& searched) {
  return search::choose_by_shape(loop::table_of(searched));
}

Status write_files(const SearchFiles& files, const Mep& mep, const std::string& device,
                   const loop::Searched& searched) {
  if (!files.any()) return {};
  const auto& kernel = mep.kernels.front().name;
  const auto cache = search::make_cache({device, kernel, {1}}, searched.space, entries_of(searched));
  const auto write = [](const std::string& file, const std::string& text) -> Status {
    return file.empty() ? Status() : os::write_text(file, text);
  };
  if (auto done = write(files.cache, write_cache(cache)); !done) return done;
  if (auto done = write(files.t4, write_t4(cache)); !done) return done;
  const char* language = mep.language == Language::OpenCL ? "OpenCL" : mep.language == Language::Cuda ? "CUDA" : "HIP";
  return write(files.t1, write_t1(search::make_t1({kernel, "kernel", language, {"1"}, {"1"}}, searched.space)));
}

}  // namespace hone::app
