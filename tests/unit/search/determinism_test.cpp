// The same seed and the same answers give the same questions, whatever else runs beside and in whichever order a
// batch is answered.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "search/strategy.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

Outcome answer(const Configuration& c) {
  if (number(c, "by") > 8) return Outcome::failed();
  const double block = std::log2(number(c, "bx") * number(c, "by")) - 7;
  return Outcome::measured(1 + block * block + 0.1 * number(c, "tx") + 0.03 * number(c, "ty"));
}

struct Job {
  std::string strategy;
  std::uint64_t seed = 1;
  std::size_t batch = 1;
  bool last_first = false;  // the order in which a batch is answered
};

std::vector<std::string> asked(const Job& job) {
  auto strategy =
      make_strategy(job.strategy, block_space(), {.seed = job.seed, .prior = {}, .budget = 0, .known = {}}).value();
  std::vector<std::string> out;
  while (out.size() < 72) {
    std::vector<Configuration> batch;
    for (std::size_t i = 0; i < job.batch; ++i) batch.push_back(*strategy->ask());
    for (const auto& configuration : batch) out.push_back(print(configuration));
    if (job.last_first) std::reverse(batch.begin(), batch.end());
    for (const auto& configuration : batch) strategy->tell(configuration, answer(configuration));
  }
  return out;
}

std::vector<Job> jobs() {
  std::vector<Job> out;
  for (const auto& name : strategy_names()) {
    for (const std::size_t batch : {1, 4}) out.push_back({name, 7, batch, false});
  }
  return out;
}

TEST(Determinism, ThreadsBesideDoNotChangeWhatIsAsked) {
  const auto all = jobs();
  std::vector<std::vector<std::string>> alone, together(all.size());
  for (const auto& job : all) alone.push_back(asked(job));
  for (const std::size_t threads : {2, 5}) {
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; ++t) {
      running.emplace_back([&, t] {
        for (std::size_t i = t; i < all.size(); i += threads) together[i] = asked(all[i]);
      });
    }
    for (auto& thread : running) thread.join();
    EXPECT_EQ(together, alone) << threads << " threads";
  }
}

TEST(Determinism, TheOrderInWhichABatchIsAnsweredDoesNotMatter) {
  EXPECT_EQ(asked({"adaptive", 3, 4, true}), asked({"adaptive", 3, 4, false}));
}

TEST(Determinism, AnotherSeedAsksOtherwise) { EXPECT_NE(asked({"random", 3}), asked({"random", 4})); }

}  // namespace
}  // namespace hone::search
