#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "search_files.hpp"

namespace hone::search {

namespace {

struct Condition {
  std::string name, bar;
  std::vector<double> without, with;
};

bool returned_a_failure(const ReplayResult& result) {
  return result.best && std::any_of(result.told.begin(), result.told.end(), [&](const Told& told) {
           return told.outcome.kind == Outcome::Kind::Failed && told.configuration == *result.best;
         });
}

std::vector<std::vector<Told>> told_by(const Measured& measured) {
  std::vector<std::vector<Told>> out;
  for (const auto& result : measured.results) out.push_back(result.told);
  return out;
}

std::vector<std::vector<Told>> inverted(std::vector<std::vector<Told>> priors) {
  for (auto& prior : priors) {
    for (auto& told : prior) {
      if (told.outcome.kind == Outcome::Kind::Measured) told.outcome.value = 1 / told.outcome.value;
    }
  }
  return priors;
}

/// Which configurations fail matters more than the seeds of the runs: one pattern can be lucky, so several are
/// averaged.
double score_under_failures(const File& file, const Options& options, std::size_t& failed_returned) {
  constexpr std::size_t patterns = 6;
  std::vector<double> scores;
  ReplayOptions noisy;
  noisy.noise = 0.05;
  for (std::size_t p = 0; p < patterns; ++p) {
    auto mine = options;
    mine.seed = options.seed + 100 * p;
    mine.repeats = std::max<std::size_t>(1, options.repeats * 2 / patterns);
    const auto broken = failing(file, 0.30, mine.seed);
    const auto robust = measure(broken, mine, noisy);
    scores.push_back(scored(broken, robust.runs));
    failed_returned +=
        static_cast<std::size_t>(std::count_if(robust.results.begin(), robust.results.end(), returned_a_failure));
  }
  return mean(scores);
}

void print_condition(const Condition& condition) {
  fmt::print("{:<38} {:>7.4f} {:>7.4f} {:>+8.4f}  {:<14}", condition.name, mean(condition.without),
             mean(condition.with), mean(condition.with) - mean(condition.without), condition.bar);
  for (const double value : condition.with) fmt::print(" {:.3f}", value);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

void print_bars(const std::vector<File>& files, const Options& options, const std::vector<Measured>& plain) {
  Condition batches{"batches of 4", ">= -0.05", {}, {}};
  Condition rough{"30% failures (6 patterns) and 5% noise", "> -0.10", {}, {}};
  Condition transfer{"prior: one run on the other GPU", "score >= 0.90", {}, {}};
  Condition wrong{"prior: that run with times inverted", ">= -0.05", {}, {}};
  std::size_t failed_returned = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const auto& file = files[f];
    const double alone = scored(file, plain[f].runs);
    ReplayOptions four;
    four.batch = 4;
    batches.without.push_back(alone);
    batches.with.push_back(scored(file, measure(file, options, four).runs));
    rough.without.push_back(alone);
    rough.with.push_back(score_under_failures(file, options, failed_returned));
    for (std::size_t o = 0; o < files.size(); ++o) {
      if (files[o].kernel != file.kernel || o == f) continue;
      const auto priors = told_by(plain[o]);
      transfer.without.push_back(alone);
      transfer.with.push_back(scored(file, measure(file, options, {}, priors).runs));
      wrong.without.push_back(alone);
      wrong.with.push_back(scored(file, measure(file, options, {}, inverted(priors)).runs));
    }
  }
  fmt::print("\n{:<38} {:>7} {:>7} {:>8}  {:<14} per space\n", "condition", "without", "with", "change", "bar");
  for (const auto* condition : {&batches, &rough, &transfer, &wrong}) print_condition(*condition);
  fmt::print("failed configurations returned as best: {}\n", failed_returned);
}

}  // namespace hone::search
