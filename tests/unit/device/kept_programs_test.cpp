#include "device/opencl/kept_programs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hone::device {
namespace {

namespace fs = std::filesystem;

class KeptPrograms : public testing::Test {
 protected:
  void SetUp() override {
    top_ = fs::temp_directory_path() / ("hone-kept-" + std::to_string(::getpid()));
    cache_ = top_ / "cache";
    fs::create_directories(cache_);
    ::setenv("POCL_CACHE_DIR", cache_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("POCL_CACHE_DIR");
    fs::remove_all(top_);
  }
  void program(const std::string& folder, const std::string& text, int used_before_seconds) {
    fs::create_directories(cache_ / folder);
    std::ofstream(cache_ / folder / "program.bc") << text;
    std::ofstream(cache_ / folder / "last_accessed");
    fs::last_write_time(cache_ / folder / "last_accessed",
                        fs::file_time_type::clock::now() - std::chrono::seconds(used_before_seconds));
  }
  fs::path top_, cache_;
};

TEST_F(KeptPrograms, TheOneThatWasUsedLastIsGivenAway) {
  EXPECT_TRUE(kept_of_last_build().empty());
  program("AA/FIRST", "first", 20);
  program("BB/SECOND", "second", 5);
  program("CC/THIRD", "third", 10);
  const CompiledForm wanted = {{"BB/SECOND/program.bc", {'s', 'e', 'c', 'o', 'n', 'd'}}};
  EXPECT_EQ(kept_of_last_build(), wanted);
}

TEST_F(KeptPrograms, WhatIsGivenStandsWhereTheRuntimeLooks) {
  keep({{"AA/FIRST/program.bc", {'x', 'y'}}});
  std::ifstream file(cache_ / "AA/FIRST/program.bc");
  std::string text;
  file >> text;
  EXPECT_EQ(text, "xy");
}

TEST_F(KeptPrograms, NamesThatLeadOutOfTheFolderAreLeftOut) {
  keep({{"../outside", {1}}, {"AA/../../outside", {1}}, {(top_ / "outside").string(), {1}}});
  EXPECT_FALSE(fs::exists(top_ / "outside"));
}

}  // namespace
}  // namespace hone::device
