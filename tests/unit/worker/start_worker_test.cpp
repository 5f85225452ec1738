#include "support/start_worker.hpp"

namespace hone {
namespace {

TEST(StartWorker, OnlyAMissingDeviceIsAReasonToSkip) {
  EXPECT_EQ(reason_to_skip(Error("E-DEVICE", "no OpenCL device"), false), "no OpenCL device");
  EXPECT_FALSE(reason_to_skip(Error("E-SANDBOX", "the enclosure cannot be had"), false));
  EXPECT_FALSE(reason_to_skip(Error("E-WORKER", "starting a worker: ended by signal 11"), false));
  EXPECT_FALSE(reason_to_skip(Error("E-OPEN", "opening opencl:0:0: out of resources"), false));
}

TEST(StartWorker, WhereEverythingIsInstalledNothingIs) {
  EXPECT_FALSE(reason_to_skip(Error("E-DEVICE", "no OpenCL device"), true));
}

}  // namespace
}  // namespace hone
