#include "os/files.hpp"

#include <gtest/gtest.h>

namespace hone::os {
namespace {

TEST(Files, AFolderWrittenAndReadIsTheSame) {
  const auto folder = TempFolder::make();
  ASSERT_TRUE(folder);
  const std::map<std::string, std::string> files = {
      {"a.txt", "one"}, {"deep/er/b.txt", std::string("t\0wo", 4)}, {"empty", ""}};
  ASSERT_TRUE(write_folder(folder->path() / "x", files));
  EXPECT_EQ(*read_folder(folder->path() / "x"), files);
}

TEST(Files, WritingOverAFileLeavesNothingBeside) {
  const auto folder = TempFolder::make();
  ASSERT_TRUE(write_text(folder->path() / "a", "1"));
  ASSERT_TRUE(write_text(folder->path() / "a", "2"));
  EXPECT_EQ(*read_folder(folder->path()), (std::map<std::string, std::string>{{"a", "2"}}));
}

TEST(Files, ErrorsNameThePathAndTheReason) {
  const auto text = read_text("/nowhere/at/all");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), "E-FILE");
  EXPECT_NE(text.error().message().find("/nowhere/at/all: No such file"), std::string::npos);
}

TEST(Files, ATemporaryFolderGoesAway) {
  Path path;
  {
    const auto folder = TempFolder::make();
    path = folder->path();
    EXPECT_TRUE(write_text(path / "x", "y"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace hone::os
