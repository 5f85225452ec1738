#include "device/opencl/build_log.hpp"

#include <gtest/gtest.h>

namespace hone::device {
namespace {

TEST(BuildLog, SaysTheSameOfTheSameFaultWhateverTheCompilersTemporaryFileIsCalled) {
  const auto log = [](const std::string& file) {
    return "error: " + file + ":5:23: no member\nnote: (" + file + ":2:1) is here\n2 errors";
  };
  EXPECT_EQ(without_temporary_names(log("/tmp/tempfile_T4SLv2.cl")), log("kernel.cl"));
  EXPECT_EQ(without_temporary_names(log("/tmp/tempfile_aaaaaa.cl")), log("kernel.cl"));
}

TEST(BuildLog, KeepsEverythingThatIsNoPlaceInAFile) {
  for (const auto* log : {"", ".cl:", "error: x.cl:3: no", "see /usr/share/a.cl: twice", "<source>:4:5: error"})
    EXPECT_EQ(without_temporary_names(log), log);
}

}  // namespace
}  // namespace hone::device
