// What only HIP has: launch bounds that its compilers need to know, and what is told when the runtime or a part of it
// is missing.

#include <filesystem>

#include "device/gpu_requests.hpp"

namespace hone {
namespace {

using Hip = Gpu;

TEST_F(Hip, ALaunchBeyondAKernelsBoundsIsRefused) {
  const auto id = build("extern \"C\" __global__ void __launch_bounds__(64) k(int* a) { a[threadIdx.x] = 1; }");
  load({data_of("a", "int", std::vector<int>(128))});
  EXPECT_TRUE(says(refused(id, {"k", {buffer_of("a")}, {128}, {128}, {}}),
                   "128 threads in a block; this kernel can"
                   " have 64"));
  EXPECT_EQ(refused(id, {"k", {buffer_of("a")}, {128}, {64}, {}}), "was not refused");
}

TEST_F(Hip, OldWordsForThreadsAndSharedMemoryAreUnderstood) {
  const auto id = build(
      "extern \"C\" __global__ void k(int* a) { HIP_DYNAMIC_SHARED(int, s); s[hipThreadIdx_x] = hipBlockIdx_x;"
      " __syncthreads(); a[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] = s[hipBlockDim_x - 1 - hipThreadIdx_x]; }");
  load({data_of("a", "int", std::vector<int>(8))});
  const auto ran = run(id, {{"k", {buffer_of("a"), shared_of(16)}, {8}, {4}, {}}}, {"a"});
  EXPECT_EQ(values_of<int>(ran.outputs.at("a")), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
}

TEST_F(Hip, AFailedAssertionCostsTheWorkerAndSaysSo) {
  const auto id = build("#include <assert.h>\nextern \"C\" __global__ void k(int* a) { assert(a[0] == 1); }");
  load({data_of("a", "int", std::vector<int>{0})});
  const auto gone = lost(id, {"k", {buffer_of("a")}, {1}, {1}, {}});
  EXPECT_EQ(gone.cause, WorkerLost::Cause::Crashed);
  EXPECT_TRUE(says(gone.reason, "hipError")) << gone.reason;
}

TEST(HipAbsent, WithoutARuntimeOrWithoutItsGpuTheReasonIsTold) {
  if (std::filesystem::exists("/dev/kfd")) GTEST_SKIP() << "there may be a GPU here";
  const auto why = why_not(gpu_options("no-such-folder"));
  EXPECT_TRUE(says(why, "E-DEVICE  no HIP device: ")) << why;
}

TEST(HipAbsent, AnOldRuntimeIsToldByWhatItLacks) {
  const auto why = why_not(gpu_options("standin-hip-old"));
  EXPECT_TRUE(says(why, "libamdhip64.so.6 lacks hipModuleOccupancyMaxActiveBlocksPerMultiprocessor")) << why;
}

TEST(HipAbsent, ARuntimeThatShowsNoDeviceSaysSo) {
  auto options = gpu_options();
  options.environment["HIP_STANDIN_DEVICES"] = "0";
  const auto why = why_not(options);
  EXPECT_TRUE(says(why, kVendor.no_device)) << why;
}

TEST(HipAbsent, ASecondDeviceIsOneMoreInTheList) {
  auto options = gpu_options();
  options.environment["HIP_STANDIN_DEVICES"] = "2";
  options.device = "hip:1";
  const auto session = worker::WorkerSessions(options).start();
  ASSERT_TRUE(session) << session.error().text();
  EXPECT_EQ((*session)->device().id, "hip:1");
}

}  // namespace
}  // namespace hone
