#include "core/occupancy.hpp"

#include <gtest/gtest.h>

namespace hone {
namespace {

Occupancy of(const char* gpu, KernelNeeds needs) { return occupancy(*gpu_limits(gpu), needs); }

TEST(Occupancy, TheLeastOfAllBoundsHoldsAndIsNamed) {
  auto found = of("sm_86", {16, 0, 256});
  EXPECT_EQ(found.blocks, 6);
  EXPECT_EQ(found.waves, 48);
  EXPECT_EQ(found.limited_by, "threads");
  found = of("sm_80", {64, 0, 256});
  EXPECT_EQ(found.blocks, 4);
  EXPECT_EQ(found.limited_by, "registers");
  found = of("sm_86", {16, 40 * 1024, 64});
  EXPECT_EQ(found.blocks, 2);
  EXPECT_EQ(found.limited_by, "shared memory");
  EXPECT_EQ(of("sm_90", {16, 0, 32}).limited_by, "blocks");
}

TEST(Occupancy, RegistersComeInUnitsOfAWarp) {
  EXPECT_EQ(of("sm_80", {33, 0, 128}).blocks, 12);  // 33 become 40: 51 warps, 48 of them whole
}

TEST(Occupancy, WhatCannotRunHasNoBlock) {
  EXPECT_EQ(of("sm_86", {16, 0, 2048}).blocks, 0);
  EXPECT_EQ(of("sm_86", {16, 101 * 1024, 64}).blocks, 0);
  EXPECT_EQ(of("sm_75", {128, 0, 1024}).blocks, 0) << "too many registers for so many threads";
}

TEST(Occupancy, WavesOfAmdAreThoseTheCompilerReports) {
  EXPECT_EQ(of("gfx90a", {142, 0, 64}).waves / 4, 3);
  EXPECT_EQ(of("gfx90a", {64, 0, 64}).waves / 4, 8);
  EXPECT_EQ(of("gfx906", {120, 0, 64}).waves / 4, 2);
  EXPECT_EQ(of("gfx906", {24, 0, 64}).waves / 4, 10);
}

TEST(Occupancy, ArchitecturesNameTheirLanguage) {
  EXPECT_EQ(language_of_architecture("sm_86"), Language::Cuda);
  EXPECT_EQ(language_of_architecture("gfx90a"), Language::Hip);
  for (const auto* word : {"", "sm_", "opencl:0:0", "cuda", "86"}) EXPECT_FALSE(language_of_architecture(word)) << word;
  EXPECT_FALSE(gpu_limits("sm_52"));
}

}  // namespace
}  // namespace hone
