// Scores search strategies on every cache file of a folder: the default beside random search, the spread of its final
// result over seeds, its own time for each ask, and on request how batches, transfer, noise and failures change the
// score. Runs of other tuners (--runs NAME=DIR, one FILE.jsonl for each cache) are scored by the same rule in the same
// table.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "os/gzip.hpp"
#include "search/replay.hpp"

namespace fs = std::filesystem;
using namespace hone;
using namespace hone::search;

namespace {

struct Options {
  std::string folder, out, strategy = "adaptive";
  std::vector<std::string> runs;
  std::size_t repeats = 50, threads = 1, batch = 1;
  std::uint64_t seed = 1;
  double noise = 0, failures = 0;
  bool bars = false;
};

struct File {
  std::string name;    // without .json.gz
  std::string kernel;  // the part before the first dot
  Replay replay;
  Scorer scorer;
};

struct Measured {
  std::vector<Run> runs;
  std::vector<ReplayResult> results;
  double ask_ms = 0;
};

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

std::vector<File> load_all(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& item : fs::directory_iterator(folder)) paths.push_back(item.path());
  std::sort(paths.begin(), paths.end());
  std::vector<File> files;
  for (const auto& path : paths) {
    const auto name = path.filename().string();
    // A T4 copy of a cache is the same data again.
    if (name.find(".T4.") != std::string::npos || name.find(".json") == std::string::npos) continue;
    if (auto file = load(path)) files.push_back(std::move(*file));
  }
  return files;
}

Measured measure(const File& file, const Options& options, ReplayOptions replay) {
  Measured measured;
  measured.results.resize(options.repeats);
  replay.budget.seconds = Seconds(file.scorer.horizon());
  const std::clock_t begin = std::clock();  // processor time of all threads
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < options.threads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < options.repeats; i += options.threads) {
        auto mine = replay;
        mine.seed = options.seed + i;
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

/// Share of the optimum's speed that each seed ends with: worst, median, and how many found the optimum within 1%.
std::string spread(const File& file, const std::vector<Run>& runs) {
  std::vector<double> shares;
  for (const auto& final : file.scorer.finals(runs)) shares.push_back(final ? file.scorer.best() / *final : 0);
  std::sort(shares.begin(), shares.end());
  const auto near = std::count_if(shares.begin(), shares.end(), [](double s) { return s >= 0.99; });
  return fmt::format("worst {:.3f}  median {:.3f}  within 1%: {}/{}", shares.front(), shares[shares.size() / 2], near,
                     shares.size());
}

void write_runs(const File& file, const std::vector<Run>& runs, const std::string& folder) {
  fs::create_directories(folder);
  std::ofstream out(fs::path(folder) / (file.name + ".jsonl"));
  for (const auto& run : runs) {
    Json keys = Json::array();
    for (const auto entry : run) keys.push_back(file.replay.cache().entries[entry].key);
    out << keys.dump() << "\n";
  }
}

std::optional<double> score_of_others(const File& file, const std::string& folder) {
  std::ifstream in(fs::path(folder) / (file.name + ".jsonl"));
  if (!in) return std::nullopt;
  std::map<std::string, std::size_t> position;
  for (std::size_t i = 0; i < file.replay.cache().entries.size(); ++i) position[file.replay.cache().entries[i].key] = i;
  std::vector<Run> runs;
  for (std::string line; std::getline(in, line);) {
    Run run;
    for (const auto& key : Json::parse(line)) run.push_back(position.at(key.get<std::string>()));
    runs.push_back(std::move(run));
  }
  return runs.empty() ? std::nullopt : std::optional(scored(file, runs));
}

/// The same space with a share of its configurations failing; random search is measured on the same.
File failing(const File& file, double share, std::uint64_t seed) {
  auto replay = Replay::of(with_failures(file.replay.cache(), share, seed)).value();
  auto scorer = Scorer::of(replay.cache()).value();
  return {file.name, file.kernel, std::move(replay), std::move(scorer)};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, values.size()));
}

void table(const std::vector<File>& files, const Options& options) {
  std::map<std::string, std::vector<double>> columns;
  fmt::print("{:<28} {:>6} {:>9}", "space", "budget", options.strategy);
  for (const auto& other : options.runs) fmt::print(" {:>24}", split(other, '=').front());
  fmt::print("  {:>7}  final result over {} seeds\n", "ms/ask", options.repeats);
  for (const auto& file : files) {
    ReplayOptions replay;
    replay.strategy = options.strategy;
    replay.batch = options.batch;
    replay.noise = options.noise;
    const auto measured = measure(file, options, replay);
    columns[""].push_back(scored(file, measured.runs));
    fmt::print("{:<28} {:>6} {:>9.4f}", file.name, file.scorer.budget(), columns[""].back());
    for (const auto& other : options.runs) {
      const auto parts = split(other, '=');
      const auto score = score_of_others(file, parts.back());
      if (score) columns[parts.front()].push_back(*score);
      fmt::print(" {:>24}", score ? fmt::format("{:.4f}", *score) : "-");
    }
    fmt::print("  {:>7.3f}  {}\n", measured.ask_ms, spread(file, measured.runs));
    std::fflush(stdout);
    if (!options.out.empty()) write_runs(file, measured.runs, options.out);
  }
  const auto& own = columns[""];
  fmt::print("{:<28} {:>6} {:>9.4f}", "mean", "", mean(own));
  for (const auto& other : options.runs) fmt::print(" {:>24.4f}", mean(columns[split(other, '=').front()]));
  fmt::print("\n{:<28} {:>6} {:>9.4f}\n", "worst", "", own.empty() ? 0.0 : *std::min_element(own.begin(), own.end()));
}

/// The default under other conditions, each as its mean and its difference from the plain score.
void bars(const std::vector<File>& files, const Options& options) {
  std::map<std::string, std::vector<double>> rows;
  std::size_t failed_returned = 0, transfers = 0;
  for (const auto& file : files) {
    ReplayOptions plain;
    plain.strategy = options.strategy;
    const auto alone = scored(file, measure(file, options, plain).runs);
    rows["plain"].push_back(alone);
    auto four = plain;
    four.batch = 4;
    rows["batches of 4"].push_back(scored(file, measure(file, options, four).runs));
    auto rough = plain;
    rough.noise = 0.05;
    const auto broken = failing(file, 0.30, options.seed);
    const auto robust = measure(broken, options, rough);
    rows["30% failures, 5% noise"].push_back(scored(broken, robust.runs));
    for (std::size_t i = 0; i < robust.results.size(); ++i) {
      const auto& result = robust.results[i];
      const auto failed = [&](const Told& told) {
        return told.outcome.kind == Outcome::Kind::Failed && told.configuration == *result.best;
      };
      if (result.best && std::any_of(result.told.begin(), result.told.end(), failed)) ++failed_returned;
    }
    for (const auto& other : files) {
      if (other.kernel != file.kernel || other.name == file.name) continue;
      ++transfers;
      Options one = options;
      one.repeats = 1;
      ReplayOptions transfer = plain;
      std::vector<Run> good, bad;
      for (std::size_t i = 0; i < options.repeats; ++i) {
        one.seed = options.seed + i;
        ReplayOptions earlier = plain;
        transfer.prior = measure(other, one, earlier).results[0].told;
        good.push_back(measure(file, one, transfer).runs[0]);
        for (auto& told : transfer.prior) {
          if (told.outcome.kind == Outcome::Kind::Measured) told.outcome.value = 1 / told.outcome.value;
        }
        bad.push_back(measure(file, one, transfer).runs[0]);
      }
      rows["transfer targets, no prior"].push_back(alone);
      rows["transfer from " + std::string("the other GPU's run")].push_back(scored(file, good));
      rows["transfer, times inverted"].push_back(scored(file, bad));
    }
  }
  fmt::print("\n{:<36} {:>8}   per space\n", "condition", "mean");
  for (const auto& [name, values] : rows) {
    fmt::print("{:<36} {:>8.4f}  ", name, mean(values));
    for (const double value : values) fmt::print(" {:.3f}", value);
    fmt::print("\n");
  }
  fmt::print("failed configurations returned as best: {}\n", failed_returned);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Score search strategies on measured spaces");
  app.add_option("folder", options.folder, "Folder of cache files (.json, .json.gz)")->required();
  app.add_option("--repeats", options.repeats, "Runs of each strategy on each file");
  app.add_option("--out", options.out, "Write each file's runs as OUT/FILE.jsonl");
  app.add_option("--strategy", options.strategy, "Which strategy");
  app.add_option("--seed", options.seed, "Seed of the first run");
  app.add_option("--threads", options.threads, "Runs at the same time; the answers do not change");
  app.add_option("--batch", options.batch, "Asks before the tells that answer them");
  app.add_option("--noise", options.noise, "Relative noise to inject");
  app.add_option("--failures", options.failures, "Share of configurations to fail");
  app.add_option("--runs", options.runs, "NAME=DIR: score these runs too");
  app.add_flag("--bars", options.bars, "Also measure batches, transfer, noise and failures");
  CLI11_PARSE(app, argc, argv);
  auto files = load_all(options.folder);
  if (options.failures > 0) {
    for (auto& file : files) file = failing(file, options.failures, options.seed);
  }
  if (files.empty()) {
    fmt::print(stderr, "no cache file in {}\n", options.folder);
    return 2;
  }
  table(files, options);
  if (options.bars) bars(files, options);
  return 0;
}
