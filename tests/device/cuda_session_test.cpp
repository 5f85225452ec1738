// What only CUDA's driver says: its errors, and what is told when it or a part of it is missing.

#include <cmath>
#include <filesystem>
#include <limits>

#include "device/gpu_requests.hpp"

namespace hone {
namespace {

using Cuda = Gpu;

TEST_F(Cuda, OtherStickyErrorsSayTheirNames) {
  auto id = build("extern \"C\" __global__ void k(char* a) { *(int*)(a + 1) = 1; }");
  load({data_of("a", "int", std::vector<int>{0, 0})});
  auto gone = lost(id, {"k", {buffer_of("a")}, {1}, {1}, {}});
  EXPECT_TRUE(says(gone.reason, "CUDA_ERROR_MISALIGNED_ADDRESS (716)")) << gone.reason;
  start();
  id = build("#include <assert.h>\nextern \"C\" __global__ void k(int* a) { assert(a[0] == 1); }");
  load({data_of("a", "int", std::vector<int>{0})});
  gone = lost(id, {"k", {buffer_of("a")}, {1}, {1}, {}});
  EXPECT_TRUE(says(gone.reason, "CUDA_ERROR_ASSERT (710)")) << gone.reason;
  start();
  id = build(
      "extern \"C\" __global__ void k(int* a) { if (threadIdx.x < 16) asm volatile(\"bar.sync 1, 64;\"); a[0] = 1; }");
  load({data_of("a", "int", std::vector<int>{0})});
  gone = lost(id, {"k", {buffer_of("a")}, {64}, {64}, {}});
  EXPECT_TRUE(says(gone.reason, "CUDA_ERROR_LAUNCH_FAILED (719)")) << gone.reason;
  EXPECT_TRUE(says(gone.reason, "divergent barrier: in block (0,0,0) 16")) << gone.reason;
}

TEST_F(Cuda, WhatNvccPutsInFrontOfEverySourceIsThere) {
  const auto id = build(
      "extern \"C\" __global__ void k(float* a, uint n) {\n"
      "  const uint32_t last = n - 1;\n"
      "  a[0] = -INFINITY; a[last] = FLT_MAX; a[1] = INT_MAX > 0 && isnan(NAN) ? float(M_PI) : 0.0f;\n"
      "}");
  load({data_of("a", "float", std::vector<float>{0, 0, 0})});
  const auto ran = run(id, {{"k", {buffer_of("a"), scalar_of<unsigned>(3)}, {1}, {1}, {}}}, {"a"});
  const auto a = values_of<float>(ran.outputs.at("a"));
  EXPECT_TRUE(std::isinf(a[0]) && a[0] < 0);
  EXPECT_FLOAT_EQ(a[1], 3.14159265f);
  EXPECT_EQ(a[2], std::numeric_limits<float>::max());
}

TEST_F(Cuda, TheStandardLibraryOfTypesIsTheOneThatComesWithTheCompiler) {
  const auto id = build(
      "#include <limits>\n#include <type_traits>\n"
      "template <class T> __device__ T most() { return std::is_same<T, int>::value ? std::numeric_limits<T>::max() : "
      "T(1); }\n"
      "extern \"C\" __global__ void k(int* a) { a[0] = most<int>(); }");
  load({data_of("a", "int", std::vector<int>{0})});
  const auto ran = run(id, {{"k", {buffer_of("a")}, {1}, {1}, {}}}, {"a"});
  EXPECT_EQ(values_of<int>(ran.outputs.at("a"))[0], std::numeric_limits<int>::max());
}

TEST_F(Cuda, ConstantsThatAreFunctionsOfTheHostAreNumbers) {
  const auto id = build(
      "constexpr int width() { return 4; }\n"
      "extern \"C\" __global__ void k(int* a) { int own[width()]; own[1] = width(); a[0] = own[1]; }");
  load({data_of("a", "int", std::vector<int>{0})});
  const auto ran = run(id, {{"k", {buffer_of("a")}, {1}, {1}, {}}}, {"a"});
  EXPECT_EQ(values_of<int>(ran.outputs.at("a"))[0], 4);
  EXPECT_TRUE(std::holds_alternative<NotBuilt>(session_->build(
      "int half(int x) { return x / 2; }\nextern \"C\" __global__ void k(int* a) { a[0] = half(a[0]); }", {})));
}

TEST(CudaAbsent, WithoutADriverTheReasonNamesIt) {
  if (std::filesystem::exists("/usr/lib/x86_64-linux-gnu/libcuda.so.1")) GTEST_SKIP() << "there is a driver here";
  const auto why = why_not(gpu_options("no-such-folder"));
  EXPECT_TRUE(says(why, "E-DEVICE  no CUDA device: libcuda.so.1")) << why;
}

TEST(CudaAbsent, AnOldDriverIsToldByWhatItLacks) {
  const auto why = why_not(gpu_options("standin-old"));
  EXPECT_TRUE(says(why, "lacks cuOccupancyMaxActiveBlocksPerMultiprocessor")) << why;
  EXPECT_TRUE(says(why, "older than CUDA 11.2")) << why;
}

TEST(CudaAbsent, ADriverThatShowsNoDeviceSaysSo) {
  auto options = gpu_options();
  options.environment["CUDA_EMULATOR_DEVICES"] = "0";
  const auto why = why_not(options);
  EXPECT_TRUE(says(why, "CUDA_ERROR_NO_DEVICE (100)")) << why;
}

TEST(CudaAbsent, ASecondDeviceIsOneMoreInTheList) {
  auto options = gpu_options();
  options.environment["CUDA_EMULATOR_DEVICES"] = "2";
  options.device = "cuda:1";
  const auto session = worker::WorkerSessions(options).start();
  if (!session && std::getenv("HONE_MUST_RUN") == nullptr && says(session.error().message(), "NVRTC")) GTEST_SKIP();
  ASSERT_TRUE(session) << session.error().text();
  EXPECT_EQ((*session)->device().id, "cuda:1");
  options.device = "cuda:2";
  EXPECT_TRUE(says(why_not(options), "there is no device cuda:2; there are")) << why_not(options);
}

}  // namespace
}  // namespace hone
