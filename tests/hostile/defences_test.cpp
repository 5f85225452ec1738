// With every defence off a named kernel is accepted; with one alone switched on it is not. So each of them is needed.

#include <gtest/gtest.h>

#include "corpus.hpp"
#include "judge/operations.hpp"
#include "judge/watcher.hpp"
#include "source/lift.hpp"
#include "support/start_worker.hpp"
#include "workers.hpp"

namespace hone::hostile {
namespace {

using judge::Defence;
using judge::Defences;

/// A worker that answers every build but the original's with the original: nothing new is ever built.
class StaleSession final : public DeviceSession {
 public:
  StaleSession(std::unique_ptr<DeviceSession> real, std::string original)
      : real_(std::move(real)), original_(std::move(original)) {}
  const DeviceInfo& device() const override { return real_->device(); }
  BuildOutcome build(const std::string&, const std::vector<std::string>&) override {
    return real_->build(original_, {});
  }
  LoadOutcome load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images) override {
    return real_->load(buffers, images);
  }
  RunOutcome run(const std::string& build, const std::vector<ConcreteLaunch>& launches,
                 const std::vector<std::string>& wanted) override {
    return real_->run(build, launches, wanted);
  }
  TimeOutcome time(const std::string& build, const std::vector<ConcreteLaunch>& launches, std::size_t runs,
                   bool restore, const std::vector<std::string>& outputs) override {
    return real_->time(build, launches, runs, restore, outputs);
  }
  RunOutcome read(const std::vector<std::string>& wanted) override { return real_->read(wanted); }

 private:
  std::unique_ptr<DeviceSession> real_;
  std::string original_;
};

class StaleSessions final : public DeviceSessions {
 public:
  StaleSessions(DeviceSessions& real, std::string original) : real_(real), original_(std::move(original)) {}
  Result<std::unique_ptr<DeviceSession>> start() override {
    auto started = real_.start();
    if (!started) return started;
    return std::make_unique<StaleSession>(std::move(*started), original_);
  }

 private:
  DeviceSessions& real_;
  std::string original_;
};

/// A device that moves 100 bytes in a nanosecond.
class Fast final : public judge::SpeedLimit {
 public:
  std::optional<Nanoseconds> least_time(Bytes moved) override {
    return Nanoseconds(static_cast<double>(moved.count) / 100);
  }
  std::optional<Nanoseconds> least_time_now(Bytes moved) override { return least_time(moved); }
};

struct Walk {
  Defence defence;
  const char* kernel;
};

class OneDefence : public testing::TestWithParam<Walk> {
 protected:
  OneDefence()
      : sessions_(worker_options({})), watching_(worker_options(judge::oclgrind_environment())), watcher_(watching_) {}

  judge::InterpretedOperations& operations(const Entry& entry) {
    auto& [mep, made] = operations_[entry.base];
    if (!made) {
      mep = base(entry.base);
      made = std::make_unique<judge::InterpretedOperations>(lifter_, mep);
    }
    return *made;
  }

  judge::JudgePorts ports(const Entry& entry, Defence about) {
    judge::JudgePorts ports;
    ports.races = &watcher_;
    ports.operations = &operations(entry);
    if (about == Defence::Precision) ports.precise = precise(entry.base);
    ports.speed = &limit_;
    return ports;
  }

  /// Would the kernel be claimed? For a defence of the comparison: as faster than the original, whose code it is.
  bool accepted(const Entry& entry, Defences defences, Defence about, std::string& said) {
    const auto mep = base(entry.base);
    StaleSessions stale(sessions_, mep.source);
    DeviceSessions& used = about == Defence::SourceHash ? static_cast<DeviceSessions&>(stale) : sessions_;
    judge::JudgeOptions options;
    options.defences = defences;
    options.final_runs = 6;
    if (about == Defence::ParentClock) options.effort = {.first = 6, .step = 6, .most = 6};
    judge::Judge judge(mep, used, options, ports(entry, about));
    auto judged = judge.judge(entry.variant);
    if (!judged) ADD_FAILURE() << judged.error().text();
    said = std::string(name_of(judged->verdict)) + " by '" + defence_of(judged->verdict) +
           "': " + reason_of(judged->verdict);
    const bool duels = about == Defence::FreshWorkers || about == Defence::ParentClock;
    if (!std::holds_alternative<Timed>(judged->verdict) || !duels)
      return std::holds_alternative<Timed>(judged->verdict);
    auto confirmed = judge.confirm(entry.variant, judge::original(mep), false);
    if (!confirmed) ADD_FAILURE() << confirmed.error().text();
    if (about == Defence::ParentClock) {
      said = reason_of(confirmed->verdict);
      return std::holds_alternative<Timed>(confirmed->verdict);
    }
    said = std::string(name_of(confirmed->comparison.call)) + " " + std::to_string(confirmed->comparison.ratio);
    return confirmed->comparison.call == Comparison::Call::Faster;
  }

  worker::WorkerSessions sessions_, watching_;
  judge::Watcher watcher_;
  source::ClangLifter lifter_;
  std::map<std::string, std::pair<Mep, std::unique_ptr<judge::InterpretedOperations>>> operations_;
  Fast limit_;
};

TEST_P(OneDefence, AloneCatchesWhatIsAcceptedWithoutIt) {
  HONE_SESSION_OR_SKIP(sessions_.start());
  const auto& [defence, kernel] = GetParam();
  const auto candidate = entry(kernel);
  std::string said;
  EXPECT_TRUE(accepted(candidate, Defences::none(), defence, said)) << "with all defences off: " << said;
  EXPECT_FALSE(accepted(candidate, Defences::only(defence), defence, said)) << "with it alone: " << said;
}

constexpr Walk kWalks[] = {{Defence::StaticGate, "stamps-its-build"},
                           {Defence::PoisonedOutputs, "relies-on-zeroes"},
                           {Defence::OldResults, "trusts-old-results"},
                           {Defence::GuardZones, "writes-past-the-end"},
                           {Defence::InputsUnchanged, "keeps-notes-in-its-input"},
                           {Defence::SeveralSeeds, "right-for-one-seed"},
                           {Defence::OtherContents, "clamps-to-the-declared-range"},
                           {Defence::RepeatedRuns, "right-the-first-time"},
                           {Defence::AwkwardSize, "knows-the-tuned-size"},
                           {Defence::HeldOut, "wrong-at-one-held-out-size"},
                           {Defence::NamedSizes, "stops-at-a-bound"},
                           {Defence::FreshContents, "remembers-the-answer"},
                           {Defence::OutputsAfterTiming, "tires-while-timed"},
                           {Defence::NanInf, "one-nan"},
                           {Defence::Precision, "sixteen-bits"},
                           {Defence::Races, "reads-before-the-start"},
                           {Defence::Operations, "shifts-too-far"},
                           {Defence::SourceHash, "never-built"},
                           {Defence::ParentClock, "slows-the-clock"},
                           {Defence::ImpossibleTime, "stops-the-clock"},
                           {Defence::FreshWorkers, "slows-the-others"}};
static_assert(std::size(kWalks) == judge::kDefences, "every defence has a kernel that shows its need");

INSTANTIATE_TEST_SUITE_P(Walk, OneDefence, testing::ValuesIn(kWalks), [](const auto& walk) {
  std::string name(name_of(walk.param.defence));
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace hone::hostile
