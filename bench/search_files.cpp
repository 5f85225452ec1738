#include "search_files.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <thread>

#include "os/gzip.hpp"

namespace hone::search {

namespace fs = std::filesystem;

namespace {

std::optional<File> load(const fs::path& path) {
  auto text = os::read_maybe_gzip(path);
  if (!text) return std::nullopt;
  auto cache = read_measurements(*text);
  if (!cache) return std::nullopt;  // T1 descriptions stand in the same folder
  for (auto& entry : cache->entries) entry.fields = {};
  auto replay = Replay::of(std::move(*cache));
  if (!replay) return std::nullopt;
  auto scorer = Scorer::of(replay->cache());
  if (!scorer) return std::nullopt;
  std::string name = path.filename().string();
  for (const std::string_view suffix : {".gz", ".json"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  }
  return File{name, name.substr(0, name.find('.')), std::move(*replay), std::move(*scorer)};
}

}  // namespace

std::vector<File> load_all(const std::string& folder, const std::string& only) {
  std::vector<fs::path> paths;
  for (const auto& item : fs::directory_iterator(folder)) paths.push_back(item.path());
  std::sort(paths.begin(), paths.end());
  std::vector<File> files;
  for (const auto& path : paths) {
    const auto name = path.filename().string();
    const bool wanted = name.find(".json") != std::string::npos && name.find(".T4.") == std::string::npos;
    if (!wanted || name.find(only) == std::string::npos) continue;
    if (auto file = load(path)) files.push_back(std::move(*file));
  }
  return files;
}

File failing(const File& file, double share, std::uint64_t seed) {
  auto replay = Replay::of(with_failures(file.replay.cache(), share, seed)).value();
  auto scorer = Scorer::of(replay.cache()).value();
  return {file.name, file.kernel, std::move(replay), std::move(scorer)};
}

Measured measure(const File& file, const Options& options, ReplayOptions replay,
                 const std::vector<std::vector<Told>>& priors) {
  Measured measured;
  measured.results.resize(options.repeats);
  if (!replay.budget.evaluations) replay.budget.seconds = Seconds(file.scorer.horizon());
  replay.strategy = options.strategy;
  const std::clock_t begin = std::clock();  // processor time of all threads
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < options.threads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < options.repeats; i += options.threads) {
        auto mine = replay;
        mine.seed = options.seed + i;
        if (!priors.empty()) mine.prior = priors[i];
        auto result = file.replay.run(mine);
        if (result) measured.results[i] = std::move(*result);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const double took = 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::size_t asks = 0;
  for (const auto& result : measured.results) {
    measured.runs.push_back(result.order);
    asks += result.order.size();
  }
  measured.ask_ms = took / static_cast<double>(std::max<std::size_t>(1, asks));
  return measured;
}

double scored(const File& file, const std::vector<Run>& runs) {
  const auto score = file.scorer.score(runs);
  return score ? score->value : std::nan("");
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, values.size()));
}

}  // namespace hone::search
