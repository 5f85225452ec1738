// Scores search strategies on every cache file of a folder: the default beside random search, the spread of its final
// result over seeds, its own time for each ask, and on request how batches, transfer, noise and failures change the
// score. Runs of other tuners (--runs NAME=DIR, one FILE.jsonl for each cache) are scored by the same rule in the same
// table.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/text.hpp"
#include "search_files.hpp"

namespace fs = std::filesystem;
using namespace hone;
using namespace hone::search;

namespace {

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

std::vector<Measured> table(const std::vector<File>& files, const Options& options) {
  std::vector<Measured> all;
  std::map<std::string, std::vector<double>> columns;
  fmt::print("{:<28} {:>6} {:>9}", "space", "budget", options.strategy);
  for (const auto& other : options.runs) fmt::print(" {:>24}", split(other, '=').front());
  fmt::print("  {:>7}  final result over {} seeds\n", "ms/ask", options.repeats);
  for (const auto& file : files) {
    ReplayOptions replay;
    replay.batch = options.batch;
    replay.noise = options.noise;
    all.push_back(measure(file, options, replay));
    const auto& measured = all.back();
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
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Score search strategies on measured spaces");
  app.add_option("folder", options.folder, "Folder of cache files (.json, .json.gz)");
  app.add_option("--only", options.only, "Only spaces whose name contains this");
  app.add_option("--repeats", options.repeats, "Runs of each strategy on each file");
  app.add_option("--out", options.out, "Write each file's runs as OUT/FILE.jsonl");
  app.add_option("--strategy", options.strategy, "Which strategy");
  app.add_option("--seed", options.seed, "Seed of the first run");
  app.add_option("--threads", options.threads, "Runs at the same time; the answers do not change");
  app.add_option("--batch", options.batch, "Asks before the tells that answer them");
  app.add_option("--noise", options.noise, "Relative noise to inject");
  app.add_option("--failures", options.failures, "Share of configurations to fail");
  app.add_option("--runs", options.runs, "NAME=DIR: score these runs too");
  app.add_option("--seeds", options.seeds, "A JSON file of points by space: what they are worth, in place of scores");
  app.add_flag("--bars", options.bars, "Also measure batches, transfer, noise and failures");
  app.add_flag("--awkward", options.awkward, "Also made-up awkward spaces, beside random search and descent");
  CLI11_PARSE(app, argc, argv);
  auto files = options.folder.empty() ? std::vector<File>() : load_all(options.folder, options.only);
  if (options.failures > 0) {
    for (auto& file : files) file = failing(file, options.failures, options.seed);
  }
  if (files.empty() && !options.awkward) {
    fmt::print(stderr, "no cache file in {}\n", options.folder);
    return 2;
  }
  if (!options.seeds.empty()) {
    print_seeds(files, options);
  } else if (!files.empty()) {
    const auto plain = table(files, options);
    if (options.bars) print_bars(files, options, plain);
  }
  if (options.awkward) print_awkward(options);
  return 0;
}
