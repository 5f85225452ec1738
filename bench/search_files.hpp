#pragma once
// What the parts of bench/search share: measured spaces, ready for many replays, and runs on them.

#include <string>
#include <vector>

#include "search/replay.hpp"

namespace hone::search {

struct Options {
  std::string folder, out, seeds, strategy = "adaptive", only;
  std::vector<std::string> runs;
  std::size_t repeats = 50, threads = 1, batch = 1;
  std::uint64_t seed = 1;
  double noise = 0, failures = 0;
  bool bars = false, awkward = false;
};

struct File {
  std::string name;    // without .json.gz
  std::string kernel;  // the part before the first dot
  Replay replay;
  Scorer scorer;
};

/// Runs of one strategy, one for each seed.
struct Measured {
  std::vector<Run> runs;
  std::vector<ReplayResult> results;
  double ask_ms = 0;
};

/// Every cache file of the folder whose name contains `only`; a T4 copy of a cache is the same data again.
std::vector<File> load_all(const std::string& folder, const std::string& only);
/// The same space with a share of its configurations failing; random search is measured on the same.
File failing(const File& file, double share, std::uint64_t seed);
/// Until the end of the scored time. Priors are one for each repeat, or none.
Measured measure(const File& file, const Options& options, ReplayOptions replay,
                 const std::vector<std::vector<Told>>& priors = {});
double scored(const File& file, const std::vector<Run>& runs);
double mean(const std::vector<double>& values);

/// The default under other conditions, given its plain runs on each file.
void print_bars(const std::vector<File>& files, const Options& options, const std::vector<Measured>& plain);
/// What the points of `options.seeds` are worth.
void print_seeds(const std::vector<File>& files, const Options& options);
/// The default beside descent and random search on made-up spaces.
void print_awkward(const Options& options);

}  // namespace hone::search
