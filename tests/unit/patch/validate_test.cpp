#include "patch/validate.hpp"

#include <gtest/gtest.h>

namespace hone::patch {
namespace {

/// Remembers what it was asked; the command's exit depends on what is in the copy.
class FakeWorkspace : public Workspace {
 public:
  int without = 0, with = 0;
  std::vector<std::string> log;

  Result<std::string> copy_tree(const std::string& folder) override {
    log.push_back("copy " + folder);
    return "scratch";
  }
  Status write(const std::string& folder, const Files& files) override {
    log.push_back("write " + folder + " " + files.begin()->first);
    patched_ = true;
    return {};
  }
  Result<CommandOutcome> run(const std::string& command, const std::string& folder) override {
    log.push_back("run " + command + " in " + folder);
    CommandOutcome outcome;
    outcome.exit = patched_ ? with : without;
    outcome.output = "said something";
    return outcome;
  }

 private:
  bool patched_ = false;
};

const Patch change{{{"a.c", "old"}}, {{"a.c", "new"}}, "", {}, {}, {}};

TEST(Validate, RunsTheCommandBeforeAndAfterInACopy) {
  FakeWorkspace workspace;
  const auto validation = validate(change, "app", "make check", workspace);
  ASSERT_TRUE(validation);
  EXPECT_TRUE(validation->passed());
  EXPECT_EQ(workspace.log, (std::vector<std::string>{"copy app", "run make check in scratch", "write scratch a.c",
                                                     "run make check in scratch"}));
}

TEST(Validate, SaysNoWhenThePatchBreaksTheApplication) {
  FakeWorkspace workspace;
  workspace.with = 1;
  EXPECT_FALSE(validate(change, "app", "make check", workspace)->passed());
}

TEST(Validate, BlamesTheCommandWhenItFailsWithoutThePatch) {
  FakeWorkspace workspace;
  workspace.without = 2;
  const auto validation = validate(change, "app", "make check", workspace);
  ASSERT_FALSE(validation);
  EXPECT_EQ(validation.error().code(), "E-VALIDATE");
  EXPECT_EQ(validation.error().message(), "`make check` ended with exit 2 without the patch:\nsaid something");
}

}  // namespace
}  // namespace hone::patch
