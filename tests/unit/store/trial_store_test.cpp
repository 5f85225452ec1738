#include "store/trial_store.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "store/database.hpp"
#include "store/schema.hpp"

namespace hone::store {
namespace {

class Store : public testing::Test {
 protected:
  Store() : folder_(std::filesystem::temp_directory_path() / ("hone-store-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Store() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "log.db").string(); }
  std::unique_ptr<TrialLog> open() const {
    auto log = open_trial_log(path());
    EXPECT_TRUE(log) << log.error().text();
    return std::move(*log);
  }
  std::filesystem::path folder_;
};

VerdictKey key_of(int n) { return {"v" + std::to_string(n), "-w", "tune", "cpu", "pocl", "screen-3"}; }

Trial trial_of(const std::string& run, int n) {
  Trial trial;
  trial.run = run;
  trial.variant = "v" + std::to_string(n);
  trial.workload = "tune";
  trial.configuration = {{"TI", std::int64_t{4}}, {"FAST", true}, {"ALPHA", 0.5}, {"ORDER", std::string("row")}};
  trial.verdict = Timed{{Nanoseconds(1.0 / 3 + n)}, {Nanoseconds(2)}};
  return trial;
}

const RunKey kRun{"mep", "--rounds 3", 7, "cpu"};

TEST_F(Store, TrialsComeBackExactlyAndInOrder) {
  auto log = open();
  const auto run = *log->open_run(kRun);
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(log->append(trial_of(run, n), key_of(n)));
  const auto trials = *log->trials(run);
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials[2].trial.configuration, trial_of(run, 2).configuration);
  EXPECT_EQ(std::get<Timed>(trials[2].trial.verdict).span, std::get<Timed>(trial_of(run, 2).verdict).span);
  EXPECT_EQ(hash_of(trials[1].key), hash_of(key_of(1)));
}

TEST_F(Store, EveryKindOfVerdictIsKept) {
  auto log = open();
  const auto run = *log->open_run(kRun);
  const std::vector<Verdict> verdicts = {
      Timed{},         WrongOutput{"outputs", "c[3]"}, BuildFailed{"log \xff"}, LaunchFailed{"x"}, Crashed{"SEGV"},
      TimedOut{"1 s"}, Unsafe{"races", "r"},           Infeasible{"u"}};
  for (int n = 0; n < static_cast<int>(verdicts.size()); ++n) {
    auto trial = trial_of(run, n);
    trial.verdict = verdicts[static_cast<std::size_t>(n)];
    ASSERT_TRUE(log->append(trial, key_of(n)));
    EXPECT_EQ((*log->lookup(key_of(n)))->trial.verdict.index(), trial.verdict.index());
  }
}

TEST_F(Store, ThatATrialWasStoppedEarlyIsKept) {
  auto log = open();
  auto trial = trial_of(*log->open_run(kRun), 1);
  trial.censored = true;
  ASSERT_TRUE(log->append(trial, key_of(1)));
  EXPECT_TRUE((*log->lookup(key_of(1)))->trial.censored);
  ASSERT_TRUE(log->append(trial_of(trial.run, 2), key_of(2)));
  EXPECT_FALSE((*log->lookup(key_of(2)))->trial.censored);
}

TEST_F(Store, TheSameTrialOfARunIsKeptOnce) {
  auto log = open();
  const auto run = *log->open_run(kRun);
  const auto first = *log->append(trial_of(run, 1), key_of(1));
  EXPECT_EQ(*log->append(trial_of(run, 1), key_of(1)), first);
  EXPECT_EQ(log->trials(run)->size(), 1U);
}

TEST_F(Store, VerdictsAreFoundByContentFromOtherRuns) {
  auto log = open();
  const auto run = *log->open_run(kRun);
  ASSERT_TRUE(log->append(trial_of(run, 1), key_of(1)));
  EXPECT_TRUE(*log->lookup(key_of(1)));
  auto other = key_of(1);
  other.driver = "another";
  EXPECT_FALSE(*log->lookup(other));
}

TEST_F(Store, EqualKeysAreTheSameRunAfterReopening) {
  const auto run = *open()->open_run(kRun);
  ASSERT_TRUE(open()->append(trial_of(run, 1), key_of(1)));
  auto log = open();
  EXPECT_EQ(*log->open_run(kRun), run);
  EXPECT_EQ(log->trials(run)->size(), 1U);
  auto other = kRun;
  other.seed = 8;
  EXPECT_NE(*log->open_run(other), run);
}

TEST_F(Store, PatternsAreKeptOnce) {
  auto log = open();
  const Pattern pattern{"lanes j 8", "depth 3", "cpu", 5.5, 5.1, 5.9, "12", {{"VX", std::int64_t{8}}}};
  ASSERT_TRUE(log->record(pattern));
  ASSERT_TRUE(log->record(pattern));
  const auto patterns = *log->patterns();
  ASSERT_EQ(patterns.size(), 1U);
  EXPECT_EQ(patterns[0].configuration, pattern.configuration);
  EXPECT_EQ(patterns[0].low, 5.1);
}

TEST_F(Store, AFileOfTheFirstVersionIsBroughtToThePresentOne) {
  {
    auto old = Database::open(path(), Database::Mode::ReadWrite);
    ASSERT_TRUE(migrate_to(*old, 1));
    ASSERT_TRUE(old->execute("INSERT INTO run VALUES('r', 'm', '', '1', 'd')"));
  }
  auto log = open();
  EXPECT_TRUE(log->record(Pattern{}));
  EXPECT_EQ(check_log(path())->schema, kSchemaVersion);
  EXPECT_EQ(check_log(path())->runs, 1);
}

TEST_F(Store, AFileOfALaterHoneIsRefused) {
  {
    auto later = Database::open(path(), Database::Mode::ReadWrite);
    ASSERT_TRUE(later->execute("PRAGMA user_version = 99"));
  }
  const auto log = open_trial_log(path());
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), "E-STORE-NEWER");
}

TEST_F(Store, TrialsCannotBeChangedThroughSql) {
  auto log = open();
  ASSERT_TRUE(log->append(trial_of(*log->open_run(kRun), 1), key_of(1)));
  auto database = Database::open(path(), Database::Mode::ReadWrite);
  EXPECT_FALSE(database->execute("UPDATE trial SET record = '{}'"));
  EXPECT_FALSE(database->execute("DELETE FROM trial"));
}

TEST_F(Store, TheCheckFindsAChangedTrial) {
  {
    auto log = open();
    const auto run = *log->open_run(kRun);
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(log->append(trial_of(run, n), key_of(n)));
  }
  EXPECT_TRUE(check_log(path())->problems.empty());
  {
    auto database = Database::open(path(), Database::Mode::ReadWrite);
    ASSERT_TRUE(database->execute("DROP TRIGGER trial_is_not_changed"));
    ASSERT_TRUE(
        database->execute("UPDATE trial SET record = replace(record, '\"round\":0', '\"round\":1') WHERE number = 2"));
  }
  const auto report = *check_log(path());
  ASSERT_FALSE(report.problems.empty());
  EXPECT_NE(report.problems[0].find("trial 2"), std::string::npos);
}

TEST_F(Store, TheCheckFindsARemovedTrial) {
  {
    auto log = open();
    const auto run = *log->open_run(kRun);
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(log->append(trial_of(run, n), key_of(n)));
    auto database = Database::open(path(), Database::Mode::ReadWrite);
    ASSERT_TRUE(database->execute("DROP TRIGGER trial_is_not_removed"));
    ASSERT_TRUE(database->execute("DELETE FROM trial WHERE number = 2"));
  }
  EXPECT_FALSE(check_log(path())->problems.empty());
}

TEST_F(Store, AFileThatIsNoLogIsSaidToBeDamaged) {
  std::ofstream(path()) << std::string(8192, 'x');
  const auto log = open_trial_log(path());
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), "E-STORE-CORRUPT");
}

TEST_F(Store, AFolderThatCannotBeWrittenIsAClearError) {
  const auto log = open_trial_log("/proc/hone/log.db");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), "E-STORE-OPEN");
  EXPECT_NE(log.error().next().find("XDG_STATE_HOME"), std::string::npos);
}

TEST_F(Store, ADiskWithoutRoomIsAClearErrorAndNothingIsLost) {
  auto log = open();
  const auto run = *log->open_run(kRun);
  ASSERT_TRUE(log->append(trial_of(run, 0), key_of(0)));
  // A limit on file sizes stands for the full disk: it needs no mount and ends with this child.
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{64 << 10, 64 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto mine = open_trial_log(path());
    if (!mine) _exit(3);
    for (int n = 1; n < 1000; ++n) {
      auto trial = trial_of(run, n);
      trial.rationale = std::string(4096, 'r');
      const auto done = (*mine)->append(trial, key_of(n));
      if (!done) _exit(done.error().code() == "E-STORE-IO" || done.error().code() == "E-STORE-FULL" ? 0 : 2);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(check_log(path())->problems.empty());
  EXPECT_TRUE(*log->lookup(key_of(0)));
  EXPECT_TRUE(log->append(trial_of(run, 5000), key_of(5000)));
}

TEST_F(Store, WhatWasAppendedSurvivesAKillAtAnyPoint) {
  const auto run = *open()->open_run(kRun);
  int next = 0;
  for (int round = 0; round < 20; ++round) {
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto log = open_trial_log(path());
      for (int n = next;; ++n) {
        if (!log || !(*log)->append(trial_of(run, n), key_of(n))) _exit(1);
        if (write(channel[1], &n, sizeof n) != sizeof n) _exit(1);  // says so only once it is durable
      }
    }
    close(channel[1]);
    int last = next - 1;
    for (int seen = 0; seen < 1 + round * 7 % 13; ++seen)
      ASSERT_EQ(read(channel[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(channel[0], &last, sizeof last) == static_cast<ssize_t>(sizeof last)) {
    }
    close(channel[0]);
    const auto trials = *open()->trials(run);
    std::set<std::string> variants;
    for (const auto& logged : trials) variants.insert(logged.trial.variant);
    EXPECT_EQ(variants.size(), trials.size());
    EXPECT_GE(static_cast<int>(trials.size()), last + 1);
    next = static_cast<int>(trials.size());
  }
  EXPECT_TRUE(check_log(path())->problems.empty());
}

}  // namespace
}  // namespace hone::store
