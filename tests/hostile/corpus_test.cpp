// The kernels of the corpus before the judge, on a real worker. HONE_CORPUS=all judges each of them, HONE_CORPUS=NAME
// those of that name; otherwise one for each way of being caught, and two correct ones for each problem.

#include "corpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "base/text.hpp"
#include "judge/operations.hpp"
#include "judge/watcher.hpp"
#include "source/lift.hpp"
#include "support/start_worker.hpp"
#include "workers.hpp"

namespace hone::hostile {
namespace {

class Corpus : public testing::Test {
 protected:
  Corpus()
      : sessions_(worker_options({})), watching_(worker_options(judge::oclgrind_environment())), watcher_(watching_) {}
  void SetUp() override { HONE_SESSION_OR_SKIP(sessions_.start()); }

  judge::InterpretedOperations& operations(const Entry& entry) {
    auto& [mep, made] = operations_[entry.base];
    if (!made) {
      mep = base(entry.base);
      made = std::make_unique<judge::InterpretedOperations>(lifter_, mep);
    }
    return *made;
  }

  judge::Judge& judge_of(const Entry& entry) {
    const auto key = entry.base + "/" + std::to_string(entry.seconds.value_or(0));
    const auto found = judges_.find(key);
    if (found != judges_.end()) return *found->second;
    judge::JudgeOptions options;
    options.final_runs = 6;  // what is judged here is correctness
    if (entry.seconds) options.patience = Seconds(*entry.seconds);
    judge::JudgePorts ports;
    ports.races = &watcher_;
    ports.operations = &operations(entry);
    ports.precise = precise(entry.base);
    auto judge = std::make_unique<judge::Judge>(base(entry.base), sessions_, options, std::move(ports));
    return *judges_.emplace(key, std::move(judge)).first->second;
  }

  /// Of entries with the same key only so many, unless all are wished for.
  void judge_all(const std::string& kind, std::size_t of_a_key, const std::function<std::string(const Entry&)>& key) {
    const char* wish = std::getenv("HONE_CORPUS");
    const bool all = wish != nullptr && std::string_view(wish) == "all";
    std::map<std::string, std::size_t> seen;
    std::size_t judged = 0;
    for (const auto& entry : entries(kind)) {
      if (wish != nullptr && !all && entry.name.find(wish) == std::string::npos) continue;
      if (wish == nullptr && ++seen[key(entry)] > of_a_key) continue;
      ++judged;
      const auto result = judge_of(entry).judge(entry.variant);
      ASSERT_TRUE(result) << entry.name << ": " << result.error().text();
      const auto verdict = std::string(name_of(result->verdict));
      const auto defence = defence_of(result->verdict);
      const auto said =
          entry.name + ": " + verdict + " by '" + defence + "': " + reason_of(result->verdict).substr(0, 300);
      EXPECT_TRUE(std::ranges::find(entry.verdicts, verdict) != entry.verdicts.end()) << said;
      EXPECT_TRUE(entry.defences.empty() || std::ranges::find(entry.defences, defence) != entry.defences.end()) << said;
      if (wish != nullptr) std::printf("  %s%s\n", said.c_str(), join(result->notes, "; ").c_str());
    }
    std::printf("  %zu %s kernels judged\n", judged, kind.c_str());
  }

  worker::WorkerSessions sessions_, watching_;
  judge::Watcher watcher_;
  source::ClangLifter lifter_;
  std::map<std::string, std::pair<Mep, std::unique_ptr<judge::InterpretedOperations>>> operations_;
  std::map<std::string, std::unique_ptr<judge::Judge>> judges_;
};

TEST_F(Corpus, HostileKernelsGetTheVerdictTheyDeserve) {
  judge_all("hostile", 1,
            [](const Entry& entry) { return join(entry.verdicts, ",") + " " + join(entry.defences, ","); });
}

TEST_F(Corpus, SuspiciousButCorrectKernelsPass) {
  judge_all("suspicious", 2, [](const Entry& entry) { return entry.base; });
}

TEST_F(Corpus, IsLargeEnough) {
  EXPECT_GE(entries("hostile").size(), 60U);
  EXPECT_GE(entries("suspicious").size(), 60U);
}

}  // namespace
}  // namespace hone::hostile
