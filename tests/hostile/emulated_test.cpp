// The kernels of the corpus in CUDA before the judge of machines without a GPU: the emulator, threads in both orders,
// races watched for. HONE_CORPUS=NAME judges those of that name alone and tells what was said.

#include "judge/emulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "corpus.hpp"
#include "judge/operations.hpp"
#include "source/lift.hpp"
#include "support/start_worker.hpp"
#include "workers.hpp"

namespace hone::hostile {
namespace {

worker::WorkerOptions on_emulator(const std::map<std::string, std::string>& environment) {
  auto options = worker_options(environment);
  options.device = "emulator:cuda";
  return options;
}

class Emulated : public testing::Test {
 protected:
  Emulated()
      : ascending_(on_emulator({})),
        descending_(on_emulator(judge::descending_emulator_environment())),
        watching_(on_emulator(judge::watching_emulator_environment())) {}
  void SetUp() override { HONE_SESSION_OR_SKIP(ascending_.start()); }

  struct Base {
    Mep mep;
    std::unique_ptr<judge::InterpretedOperations> operations;
    std::unique_ptr<judge::EmulatedJudge> judge;
  };
  judge::EmulatedJudge& judge_of(const Entry& entry) {
    auto& one = bases_[entry.base + "/" + std::to_string(entry.seconds.value_or(0))];
    if (one.judge) return *one.judge;
    one.mep = base(entry.base);
    one.operations = std::make_unique<judge::InterpretedOperations>(lifter_, one.mep);
    judge::JudgeOptions options;
    options.seeds = 2;
    options.repeats = 1;
    if (entry.seconds) options.patience = Seconds(*entry.seconds);
    one.judge = std::make_unique<judge::EmulatedJudge>(
        one.mep, judge::EmulatorPorts{&ascending_, &descending_, &watching_, one.operations.get(), {}}, options);
    const auto sound = one.judge->original();
    EXPECT_TRUE(sound) << entry.base << ": " << (sound ? "" : sound.error().text());
    EXPECT_FALSE(one.judge->own_race()) << entry.base << ": " << one.judge->own_race().value_or("");
    return *one.judge;
  }

  void judge_all(const std::string& kind) {
    const char* wish = std::getenv("HONE_CORPUS");
    const bool some = wish != nullptr && std::string_view(wish) != "all";
    for (const auto& entry : entries(kind)) {
      if (some && entry.name.find(wish) == std::string::npos) continue;
      const auto refused = judge_of(entry).refusal(entry.variant);
      ASSERT_TRUE(refused) << entry.name << ": " << refused.error().text();
      const auto verdict = *refused ? std::string(name_of(**refused)) : std::string("Timed");
      const auto defence = *refused ? std::string(defence_of(**refused)) : std::string();
      const auto said = entry.name + ": " + verdict + " by '" + defence +
                        "': " + (*refused ? reason_of(**refused).substr(0, 300) : "");
      EXPECT_TRUE(std::ranges::find(entry.verdicts, verdict) != entry.verdicts.end()) << said;
      EXPECT_TRUE(entry.defences.empty() || std::ranges::find(entry.defences, defence) != entry.defences.end()) << said;
      if (wish != nullptr) std::printf("  %s\n", said.c_str());
    }
  }

  worker::WorkerSessions ascending_, descending_, watching_;
  source::ClangLifter lifter_;
  std::map<std::string, Base> bases_;
};

TEST_F(Emulated, HostileCudaKernelsAreRefused) { judge_all("cuda/hostile"); }
TEST_F(Emulated, SuspiciousButCorrectCudaKernelsPass) { judge_all("cuda/suspicious"); }

TEST(EmulatedCorpus, IsLargeEnough) {
  EXPECT_GE(entries("cuda/hostile").size(), 40U);
  EXPECT_GE(entries("cuda/suspicious").size(), 15U);
}

}  // namespace
}  // namespace hone::hostile
