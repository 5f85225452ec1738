#include "store/state.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "store/trial_store.hpp"

namespace hone::store {
namespace {

namespace fs = std::filesystem;

class StateFolder : public testing::Test {
 protected:
  StateFolder() : folder_(fs::temp_directory_path() / ("hone-state-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~StateFolder() override { fs::remove_all(folder_); }
  void write(const std::string& name, std::size_t size, int hours_old) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << std::string(size, 'x');
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::hours(hours_old));
  }
  std::string log_with_a_trial() const {
    const auto path = (folder_ / "trials.db").string();
    const auto log = *open_trial_log(path);
    Trial trial;
    trial.run = *log->open_run({"mep", "", 1, "cpu"});
    trial.verdict = Timed{{Nanoseconds(1)}, {Nanoseconds(1)}};
    EXPECT_TRUE(log->append(trial, {"v", "", "tune", "cpu", "1", "screen-1"}));
    EXPECT_TRUE(log->record({"lanes", "", "cpu", 2, 1, 3, "1", {}, ""}));
    return path;
  }
  Cleaned clean(const CleanWish& wish) const {
    auto done = clean_state(folder_.string(), wish);
    EXPECT_TRUE(done) << done.error().text();
    return *done;
  }
  fs::path folder_;
};

TEST_F(StateFolder, IsShownByGroups) {
  write("reports/a.md", 10, 1);
  write("reports/a.json", 30, 1);
  write("ceilings/d.json", 5, 1);
  const auto groups = *state_in(folder_.string());
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "measurements");
  EXPECT_EQ(groups[1].name, "reports");
  EXPECT_EQ(groups[1].files, 2U);
  EXPECT_EQ(groups[1].size.count, 40U);
  EXPECT_TRUE(state_in((folder_ / "nowhere").string())->empty());
}

TEST_F(StateFolder, GivesUpWhatIsOlder) {
  write("reports/old.md", 10, 50);
  write("reports/new.md", 10, 1);
  CleanWish wish;
  wish.older_than = Seconds(24 * 3600);
  EXPECT_EQ(clean(wish).removed, std::vector<std::string>{"reports/old.md"});
  EXPECT_TRUE(fs::exists(folder_ / "reports/new.md"));
}

TEST_F(StateFolder, APretenceRemovesNothing) {
  write("reports/old.md", 10, 50);
  CleanWish wish;
  wish.all = wish.pretend = true;
  EXPECT_EQ(clean(wish).removed.size(), 1U);
  EXPECT_TRUE(fs::exists(folder_ / "reports/old.md"));
}

TEST_F(StateFolder, TheOldestGoesUntilTheRestIsSmallEnough) {
  write("reports/1.md", 400, 3);
  write("reports/2.md", 400, 2);
  write("reports/3.md", 400, 1);
  CleanWish wish;
  wish.until_below = Bytes{900};
  EXPECT_EQ(clean(wish).removed, std::vector<std::string>{"reports/1.md"});
}

TEST_F(StateFolder, TrialsGoAsAWholeAndLeaveASoundLogWithItsPatterns) {
  const auto path = log_with_a_trial();
  CleanWish wish;
  wish.until_below = Bytes{1};
  EXPECT_EQ(clean(wish).removed, std::vector<std::string>{"trials"});
  auto report = *check_log(path);
  EXPECT_EQ(report.trials, 0);
  EXPECT_EQ(report.patterns, 1);
  EXPECT_TRUE(report.problems.empty());
  (void)log_with_a_trial();
  report = *check_log(path);
  EXPECT_EQ(report.trials, 1);
  EXPECT_TRUE(report.problems.empty()) << report.problems.front();
}

TEST_F(StateFolder, EverythingMeansThePatternsToo) {
  const auto path = log_with_a_trial();
  CleanWish wish;
  wish.all = true;
  clean(wish);
  EXPECT_EQ(check_log(path)->patterns, 0);
}

TEST(StateSizes, AreReadWithTheirUnits) {
  EXPECT_EQ(parse_size("2K")->count, 2048U);
  EXPECT_EQ(parse_size("1G")->count, 1073741824U);
  EXPECT_EQ(parse_size("lots").error().code(), "E-SIZE");
  EXPECT_DOUBLE_EQ(parse_age("2d")->count(), 2 * 86400);
  EXPECT_EQ(parse_age("30").error().code(), "E-AGE");
}

}  // namespace
}  // namespace hone::store
