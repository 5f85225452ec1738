#include "patch/host_expression.hpp"

#include <gtest/gtest.h>

namespace hone::patch {
namespace {

std::optional<std::string> names(std::string_view name) {
  if (name == "launch.global[0]") return "global[0]";
  if (name == "launch.local[0]") return "local[0]";
  if (name == "n") return "n";
  return std::nullopt;
}

std::string host(const std::string& text) {
  auto written = host_expression(*Expression::parse(text), names);
  return written ? *written : written.error().text();
}

TEST(HostExpression, WritesSizesAsAPersonWould) {
  EXPECT_EQ(host("launch.global[0]"), "global[0]");
  EXPECT_EQ(host("ceil_div(launch.global[0], 16)"), "(global[0] + 15) / 16");
  EXPECT_EQ(host("ceil_div(launch.global[0], 1)"), "global[0]");
  EXPECT_EQ(host("ceil_div(launch.global[0], launch.local[0])"), "(global[0] + local[0] - 1) / local[0]");
  EXPECT_EQ(host("launch.global[0] // 4 * 2"), "global[0] / 4 * 2");
  EXPECT_EQ(host("launch.global[0] // (4 * 2)"), "global[0] / (4 * 2)");
  EXPECT_EQ(host("round_up(n, 8) - (n - 1)"), "(n + 7) / 8 * 8 - (n - 1)");
  EXPECT_EQ(host("min(n, 64)"), "n < 64 ? n : 64");
  EXPECT_EQ(host("(min(n, 64)) * 2"), "(n < 64 ? n : 64) * 2");
  EXPECT_EQ(host("4 if n > 100 else 1"), "n > 100 ? 4 : 1");
}

TEST(HostExpression, RoundsUpToTheLocalSize) {
  const auto global = *Expression::parse("ceil_div(launch.global[0], 4)");
  EXPECT_EQ(*host_rounded(global, *Expression::parse("8"), names), "((global[0] + 3) / 4 + 7) / 8 * 8");
  EXPECT_EQ(*host_rounded(global, *Expression::parse("1"), names), "(global[0] + 3) / 4");
}

TEST(HostExpression, RefusesWhatCHasNoExactCounterpartFor) {
  EXPECT_EQ(host("launch.global[0] / 4"), "E-LAUNCHSITE  the operator / cannot be written at the launch");
  EXPECT_EQ(host("launch.global[1]"), "E-LAUNCHSITE  launch.global[1] cannot be written at the launch");
  EXPECT_EQ(host("device.compute_units * 4"), "E-LAUNCHSITE  device.compute_units cannot be written at the launch");
}

}  // namespace
}  // namespace hone::patch
