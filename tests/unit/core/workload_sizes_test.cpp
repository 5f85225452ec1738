#include "core/workload_sizes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace hone {
namespace {

Expression expression(const std::string& text) { return *Expression::parse(text); }

/// n * m elements, launched over rounded n and m; `same` ties the two.
Mep matrix(bool same) {
  Mep mep;
  mep.buffers = {{"a", "float", expression("n * m"), "zero"}};
  mep.kernels = {{"k", {}}};
  Launch launch;
  launch.kernel = "k";
  launch.global = {expression("n"), expression("m")};
  launch.local = {expression("16"), expression("1")};
  mep.contract = {expression("n % 16 == 0")};
  const auto workload = [&](const std::string& name, Role role, std::int64_t n, std::int64_t m) {
    return Workload{
        name, role, {{"n", n}, {"m", same ? n : m}, {"alpha", 1.5}, {"rounds", std::int64_t{3}}}, {launch}, {}};
  };
  mep.workloads = {workload("tune", Role::Tune, 1024, 512), workload("held-out", Role::HeldOut, 768, 448),
                   workload("awkward", Role::Awkward, 656, 371)};
  return mep;
}

TEST(DrawnWorkload, IsInsideTheContractAndNoWorkloadThatWasKnown) {
  const auto mep = matrix(false);
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto drawn = drawn_workload(mep, seed);
    ASSERT_TRUE(drawn);
    const auto n = std::get<std::int64_t>(drawn->scalars.at("n"));
    const auto m = std::get<std::int64_t>(drawn->scalars.at("m"));
    EXPECT_EQ(n % 16, 0);
    EXPECT_TRUE(n >= 256 && n <= 1024 && m >= 128 && m <= 512) << n << " " << m;
    EXPECT_EQ(drawn->role, Role::HeldOut);
    EXPECT_EQ(std::get<std::int64_t>(drawn->scalars.at("rounds")), 3) << "no size is made of it";
    for (const auto& known : mep.workloads) EXPECT_NE(known.scalars, drawn->scalars);
    seen.insert(m);
  }
  EXPECT_GT(seen.size(), 50U) << "draws differ from one seed to the next";
  EXPECT_EQ(*drawn_workload(mep, 7), *drawn_workload(mep, 7));
}

TEST(DrawnWorkload, KeepsSizesEqualThatAreEqualEverywhere) {
  const auto mep = matrix(true);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto drawn = drawn_workload(mep, seed);
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->scalars.at("n"), drawn->scalars.at("m"));
  }
}

TEST(NamedSizes, AreTriedAllAtOnceAndEachBesideSmallOthers) {
  const auto mep = matrix(false);
  const auto made = workloads_with(mep, {512});
  std::set<std::pair<std::int64_t, std::int64_t>> sizes;
  for (const auto& workload : made) {
    EXPECT_TRUE(is_allowed(mep, workload));
    sizes.insert({std::get<std::int64_t>(workload.scalars.at("n")), std::get<std::int64_t>(workload.scalars.at("m"))});
  }
  EXPECT_EQ(sizes.size(), 3U);
  EXPECT_TRUE(sizes.contains({512, 512}));
  for (const auto& [n, m] : sizes) EXPECT_TRUE(n == 512 || m == 512);
  for (const auto& [n, m] : sizes) EXPECT_TRUE(n * m <= 512 * 512);
}

TEST(NamedSizes, KeepToTheContractAndToTheMemoryOfTheTunedSize) {
  const auto mep = matrix(false);
  for (const auto& workload : workloads_with(mep, {33}))
    EXPECT_EQ(std::get<std::int64_t>(workload.scalars.at("n")) % 16, 0) << "33 is no multiple of 16";
  EXPECT_TRUE(workloads_with(mep, {std::int64_t{1} << 30}).empty());
}

TEST(TurnedWorkloads, RiseAndFallInTheOrderOfTheirNames) {
  const auto mep = matrix(false);
  int rising = 0, falling = 0;
  for (const auto& workload : turned_workloads(mep)) {
    EXPECT_TRUE(is_allowed(mep, workload));
    const auto n = std::get<std::int64_t>(workload.scalars.at("n")),
               m = std::get<std::int64_t>(workload.scalars.at("m"));
    (m < n ? falling : rising) += 1;
  }
  EXPECT_EQ(rising, 1);
  EXPECT_EQ(falling, 1);
  EXPECT_TRUE(turned_workloads(matrix(true)).empty()) << "one size has no proportions";
}

TEST(SmallerWorkload, HasFewElementsAndIsAllowed) {
  const auto mep = matrix(false);
  const auto small = smaller_workload(mep, mep.workloads[2], 4096);
  const auto n = std::get<std::int64_t>(small.scalars.at("n")), m = std::get<std::int64_t>(small.scalars.at("m"));
  EXPECT_LE(n * m, 4096);
  EXPECT_GE(n * m, 512);
  EXPECT_TRUE(is_allowed(mep, small));
  EXPECT_EQ(smaller_workload(mep, mep.workloads[2], 1 << 30), mep.workloads[2]);
}

TEST(DrawnWorkload, IsNoneWhereTheContractAllowsNoOtherSize) {
  auto mep = matrix(false);
  mep.contract = {expression("n == 1024"), expression("m == 512")};
  EXPECT_FALSE(drawn_workload(mep, 1));
}

TEST(CopiesOfTune, AreNamed) {
  auto mep = matrix(false);
  EXPECT_TRUE(copies_of_tune(mep).empty());
  mep.workloads[2].scalars = mep.workloads[0].scalars;
  EXPECT_EQ(copies_of_tune(mep), std::vector<std::string>{"awkward"});
}

}  // namespace
}  // namespace hone
