#include "core/launches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/layout.hpp"

namespace hone {
namespace {

Expression e(const std::string& text) { return *Expression::parse(text); }

Mep ping_pong() {
  Mep mep;
  mep.name = "jacobi";
  mep.buffers = {{"A", "float", e("n*n"), "uniform(0,1)"}, {"B", "float", e("n*n"), "zero"}};
  mep.kernels = {{"step",
                  {{"from", ArgumentSpec::Kind::Buffer, "float", Access::Read},
                   {"to", ArgumentSpec::Kind::Buffer, "float", Access::Write},
                   {"n", ArgumentSpec::Kind::Scalar, "int", Access::Read}}}};
  Launch launch{
      "step",
      {{"from", {e("A if t % 2 == 0 else B"), {}}}, {"to", {e("B if t % 2 == 0 else A"), {}}}, {"n", {e("n"), {}}}},
      {e("n"), e("n")},
      {e("8"), e("1")},
      {}};
  mep.workloads = {{"tune", Role::Tune, {{"n", std::int64_t{16}}}, {LaunchLoop{"t", e("0"), e("4"), {launch}}}}};
  return mep;
}

TEST(Concretise, UnrollsLoopsAndBindsBuffersByTheirExpressions) {
  const auto mep = ping_pong();
  const auto problem = concretise(mep, mep.workloads[0], {}, {}, 1);
  ASSERT_TRUE(problem) << problem.error().text();
  ASSERT_EQ(problem->launches.size(), 4U);
  EXPECT_EQ(problem->launches[0].arguments[0].text, "A");
  EXPECT_EQ(problem->launches[1].arguments[0].text, "B");
  EXPECT_EQ(problem->launches[3].global, (std::vector<std::size_t>{16, 16}));
  EXPECT_EQ(problem->buffers[0].count, 256U);
}

TEST(Concretise, ARoundOfALoopThatHasNothingToLaunchLaunchesNothing) {
  auto mep = ping_pong();
  auto& loop = std::get<LaunchLoop>(mep.workloads[0].launches.at(0));
  auto& launch = std::get<Launch>(loop.body.at(0));
  launch.global = {e("8 * (3 - t)"), e("n")};
  const auto problem = concretise(mep, mep.workloads[0], {}, {}, 1);
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->launches.size(), 3U);
  launch.global = {e("8 * (2 - t)"), e("n")};
  EXPECT_FALSE(concretise(mep, mep.workloads[0], {}, {}, 1)) << "less than nothing is no size";
}

TEST(Concretise, DoesNotPoisonWhatALaterLaunchReads) {
  const auto mep = ping_pong();
  const auto problem = concretise(mep, mep.workloads[0], {}, {}, 1);
  ASSERT_TRUE(problem);
  EXPECT_FALSE(problem->buffers[0].poison);
  EXPECT_FALSE(problem->buffers[1].poison) << "what the first launch leaves out would reach the second";
  EXPECT_TRUE(problem->changes_inputs);
  EXPECT_EQ(problem->outputs, (std::vector<std::string>{"A", "B"}));
}

TEST(Concretise, AppliesShapesOfTheOriginalLaunchAndRoundsUpToLocal) {
  const auto mep = ping_pong();
  const LaunchShape shape{
      "step", {e("ceil_div(launch.global[0], 3)"), e("launch.global[1]")}, {e("4"), e("launch.local[1]")}};
  const auto problem = concretise(mep, mep.workloads[0], {shape}, {}, 1);
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->launches[0].global, (std::vector<std::size_t>{8, 16}));
  EXPECT_EQ(problem->launches[0].local, (std::vector<std::size_t>{4, 1}));
}

TEST(Concretise, SeedsDifferByBufferAndBySeed) {
  const auto mep = ping_pong();
  const auto one = concretise(mep, mep.workloads[0], {}, {}, 1), two = concretise(mep, mep.workloads[0], {}, {}, 2);
  EXPECT_NE(one->buffers[0].seed, one->buffers[1].seed);
  EXPECT_NE(one->buffers[0].seed, two->buffers[0].seed);
}

TEST(Concretise, AnUnboundArgumentIsNamed) {
  auto mep = ping_pong();
  std::get<Launch>(std::get<LaunchLoop>(mep.workloads[0].launches[0]).body[0]).arguments.erase("n");
  const auto problem = concretise(mep, mep.workloads[0], {}, {}, 1);
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.error().message(), "workload tune: launch of step, argument n: is not bound");
}

TEST(Concretise, SeesTheDevice) {
  auto mep = ping_pong();
  const DeviceInfo device{"", "", "", "", {{"width", std::int64_t{4}}}};
  const LaunchShape shape{"step", {e("launch.global[0] // device.width")}, {}};
  const auto problem = concretise(mep, mep.workloads[0], {shape}, device, 1);
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_EQ(problem->launches[0].global, (std::vector<std::size_t>{4}));
}

TEST(Layout, StructsAreAlignedAsInC) {
  const std::vector<StructSpec> structs = {
      {"P", {{"flag", "char", 1}, {"x", "double", 1}, {"v", "float3", 1}, {"n", "int", 3}}}};
  struct P {
    char flag;
    double x;
    alignas(16) float v[4];
    int n[3];
  };
  const auto layout = layout_of("P", structs);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->bytes, sizeof(P));
  EXPECT_EQ(layout->alignment, alignof(P));
  const auto bytes = encode({{"x", Value(2.5)}, {"n", Value(std::int64_t{7})}}, "P", structs);
  ASSERT_TRUE(bytes) << bytes.error().text();
  P value{};
  std::memcpy(&value, bytes->data(), sizeof value);
  EXPECT_EQ(value.x, 2.5);
  EXPECT_EQ(value.n[2], 7);
}

TEST(Layout, AMisspeltFieldIsNamedWithTheNearest) {
  const std::vector<StructSpec> structs = {{"P", {{"width", "int", 1}}}};
  const auto bytes = encode({{"widht", Value(std::int64_t{1})}}, "P", structs);
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message().find("nearest: width"), std::string::npos);
}

TEST(Layout, HalvesRoundToNearestEven) {
  const auto half = [](double value) {
    const auto bytes = *encode(Value(value), "half");
    return bytes[0] | bytes[1] << 8;
  };
  EXPECT_EQ(half(1.0), 0x3c00);
  EXPECT_EQ(half(-2.0), 0xc000);
  EXPECT_EQ(half(65504.0), 0x7bff);
  EXPECT_EQ(half(1e6), 0x7c00);
  EXPECT_EQ(half(std::ldexp(1.0, -24)), 0x0001);
  EXPECT_EQ(half(1.0 + std::ldexp(1.0, -11)), 0x3c00);
  EXPECT_EQ(half(std::ldexp(2047.9, -11)), 0x3c00);
}

TEST(Layout, ARealWhereAnIntegerIsNeededIsRefused) { EXPECT_FALSE(encode(Value(1.5), "int")); }

}  // namespace
}  // namespace hone
