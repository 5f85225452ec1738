// What interpreting a candidate may cost: its limits are limits, and what they leave out is said or left alone.

#include "judge/operations.hpp"

#include <gtest/gtest.h>

#include "source/lift.hpp"

namespace hone::judge {
namespace {

constexpr auto kDivides = R"(
kernel void divide(global int* out, int by) {
  int i = get_global_id(0);
  out[i] = i / by;
})";

class Interpreting : public testing::Test {
 protected:
  Interpreting() {
    mep_.kernels = {{"divide",
                     {{"out", ArgumentSpec::Kind::Buffer, "int", Access::Write},
                      {"by", ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
    problem_.buffers.resize(1);
    problem_.buffers[0].name = "out";
    problem_.buffers[0].type = "int";
    problem_.buffers[0].count = 64;
    problem_.buffers[0].fill = "zero";
  }
  void launch(std::uint8_t by) {
    ConcreteLaunch one;
    one.kernel = "divide";
    one.arguments.resize(2);
    one.arguments[0].kind = ArgumentSpec::Kind::Buffer;
    one.arguments[0].text = "out";
    one.arguments[1].kind = ArgumentSpec::Kind::Scalar;
    one.arguments[1].bytes = {by, 0, 0, 0};
    one.global = {64};
    one.local = {8};
    problem_.launches.push_back(one);
  }
  Result<std::optional<std::string>> watched(const std::string& source, InterpretingLimits limits = {}) {
    return InterpretedOperations(lifter_, mep_, limits).watch({Language::OpenCL, source, {}, {}}, problem_);
  }
  source::ClangLifter lifter_;
  Mep mep_;
  Problem problem_;
};

TEST_F(Interpreting, FindsWhatHasNoAnswer) {
  launch(3);
  EXPECT_EQ(watched(kDivides).value(), std::nullopt);
  launch(0);
  EXPECT_TRUE(watched(kDivides).value());
}

TEST_F(Interpreting, FindsWhatLiesOutsideOfAnArray) {
  launch(3);
  EXPECT_TRUE(watched("kernel void divide(global int* out, int by) { int p[2] = {1, 2}; int i = get_global_id(0); "
                      "out[i] = p[i < 63 ? 1 : 2]; }")
                  .value());
}

TEST_F(Interpreting, WhatHasMoreDataThanTheLimitIsNotMadeAtAll) {
  launch(3);
  InterpretingLimits limits;
  limits.bytes = 64 * 4;
  EXPECT_TRUE(watched(kDivides, limits));
  limits.bytes = 64 * 4 - 1;
  const auto refused = watched(kDivides, limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), "E-WATCH");
  problem_.buffers.front().count = std::size_t{1} << 40U;  // would be noticed
  EXPECT_FALSE(watched(kDivides));
}

TEST_F(Interpreting, OfALargeLaunchTheFirstAndTheLastGroupAreInterpretedAndNothingAfterIt) {
  launch(1);
  launch(0);
  InterpretingLimits small;
  small.items = 16;
  EXPECT_EQ(watched(kDivides, small).value(), std::nullopt) << "what follows would see half of the data";
  const std::string at_the_end =
      "kernel void divide(global int* out, int by) { int i = get_global_id(0); out[i] = i / (i < 63 ? 1 : by - by); }";
  EXPECT_TRUE(watched(at_the_end, small).value());
}

TEST_F(Interpreting, AKernelThatTakesTooLongSaysNothingOfTheCandidate) {
  launch(0);
  InterpretingLimits none;
  none.time = std::chrono::nanoseconds(-1);
  const std::string slow =
      "kernel void divide(global int* out, int by) { int s = 0; for (int k = 0; k < 100000; ++k) s ^= k; "
      "out[get_global_id(0)] = s / by; }";
  const auto left = watched(slow, none);
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().code(), "E-WATCH");
}

}  // namespace
}  // namespace hone::judge
