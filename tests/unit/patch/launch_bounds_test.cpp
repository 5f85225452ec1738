#include "patch/launch_bounds.hpp"

#include <gtest/gtest.h>

#include "patch/shipped_form.hpp"

namespace hone::patch {
namespace {

const std::string kKernel = "extern \"C\" __global__ void k(float* a) { a[threadIdx.x] = 1; }\n";

Variant variant_of(std::vector<std::string> local, std::string source = kKernel, Language language = Language::Hip) {
  LaunchShape shape{"k", {*Expression::parse("1024")}, {}};
  for (const auto& size : local) shape.local.push_back(*Expression::parse(size));
  return {language, std::move(source), {shape}, {}};
}
std::string bounded(const Variant& variant) { return with_launch_bounds({}, variant).source; }

TEST(LaunchBounds, AHipVariantCarriesTheBoundsOfItsOwnBlocks) {
  const auto wanted = "extern \"C\" __global__ void __launch_bounds__(256) k(float* a) { a[threadIdx.x] = 1; }\n";
  EXPECT_EQ(bounded(variant_of({"32", "8"})), wanted);
  EXPECT_EQ(bounded(variant_of({"4 * 64"})), wanted);
  const auto once = with_launch_bounds({}, variant_of({"256"}));
  EXPECT_EQ(with_launch_bounds({}, once).source, wanted) << "twice is the same as once";
}

TEST(LaunchBounds, AKernelInANamespaceHasThemToo) {
  const auto inside = bounded(variant_of({"64"}, "namespace a {\n__global__ void k(float* a) { a[0] = 1; }\n}\n"));
  EXPECT_NE(inside.find("__launch_bounds__(64) k("), std::string::npos) << inside;
}

TEST(LaunchBounds, WhatIsShippedAndMeasuredHasThem) {
  const auto shipped = shipped_form({}, {}, variant_of({"64"}));
  ASSERT_TRUE(shipped);
  EXPECT_NE(shipped->source.find("__launch_bounds__(64) k("), std::string::npos) << shipped->source;
}

TEST(LaunchBounds, ABlockThatTheApplicationChoosesHasNone) {
  EXPECT_EQ(bounded(variant_of({"launch.local[0]"})), kKernel);
  EXPECT_EQ(bounded(variant_of({})), kKernel);
  EXPECT_EQ(bounded(variant_of({"2048"})), kKernel) << "it cannot be launched";
}

TEST(LaunchBounds, OtherLanguagesAndOtherKernelsStayAsTheyAre) {
  EXPECT_EQ(bounded(variant_of({"64"}, kKernel, Language::Cuda)), kKernel);
  const std::string other = "__global__ void kk(int* k) { k[0] = 1; }\n";
  EXPECT_EQ(bounded(variant_of({"64"}, other)), other);
}

TEST(LaunchBounds, BoundsThatAreThereStay) {
  for (const auto* own : {"__launch_bounds__(1024) ", "__attribute__((amdgpu_flat_work_group_size(1, 512))) "}) {
    const auto source = "__global__ void " + std::string(own) + "k(float* a) { a[0] = 1; }\n";
    EXPECT_EQ(bounded(variant_of({"64"}, source)), source);
  }
}

TEST(LaunchBounds, ATemplatesTextHasNoneSinceOtherInstancesMayHaveOtherBlocks) {
  const std::string header = "template <int N>\n__global__ void k(float* a) { a[0] = N; }\n";
  EXPECT_EQ(bounded(variant_of({"64"}, header)), header);
  Mep instance;
  instance.source = "#define N 4\n" + kKernel + "\n#undef N\n";
  EXPECT_EQ(with_launch_bounds(instance, variant_of({"64"})).source, kKernel);
}

}  // namespace
}  // namespace hone::patch
