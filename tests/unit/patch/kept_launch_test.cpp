#include "patch/kept_launch.hpp"

#include <gtest/gtest.h>

#include "patch/adapter_text.hpp"
#include "patch/shipped_form.hpp"

namespace hone::patch {
namespace {

Expression size(const std::string& text) { return *Expression::parse(text); }

Mep with_launch(std::vector<Expression> global, std::vector<Expression> local) {
  Mep mep;
  mep.kernels = {{"k", {}}};
  Launch launch;
  launch.kernel = "k";
  launch.global = std::move(global);
  launch.local = std::move(local);
  mep.workloads = {{"tune", Role::Tune, {}, {launch}}};
  return mep;
}
const Mep line = with_launch({size("n")}, {});
const Mep groups = with_launch({size("n")}, {size("64")});

TEST(KeptLaunch, SurplusWorkItemsReturnAndTheSizeIsTheNewOne) {
  const auto text =
      with_kept_launch(line, {"k", {size("ceil_div(launch.global[0], 4)")}, {}},
                       "__kernel void k(__global int* a)\n{\n  a[get_global_id(0)] = get_global_size(0);\n}\n");
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(*text,
            "__kernel void k(__global int* a)\n{\n"
            "  /* The launch is the original's; work-items beyond the ones needed here do nothing. */\n"
            "  if (get_global_id(0) >= (get_global_size(0) + 3) / 4) return;\n\n"
            "  a[get_global_id(0)] = ((get_global_size(0) + 3) / 4);\n}\n");
}

TEST(KeptLaunch, ALocalSizeThatDoesNotMatterIsLeftToTheLaunch) {
  const auto text = with_kept_launch(line, {"k", {size("launch.global[0] // 2")}, {size("16")}},
                                     "__kernel void k(__global int* a) { a[get_global_id(0)] = 1; }");
  EXPECT_TRUE(text) << text.error().message();
}

TEST(KeptLaunch, AKernelThatWorksInGroupsKeepsWholeOnes) {
  const auto text = with_kept_launch(
      groups,
      {"k", {size("ceil_div(launch.global[0] // launch.local[0], 2) * launch.local[0]")}, {size("launch.local[0]")}},
      "__kernel void k(__global int* a) { barrier(CLK_LOCAL_MEM_FENCE); a[get_num_groups(0)] = 1; }");
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(text->find("if (get_group_id(0) >= "), std::string::npos) << *text;
  EXPECT_EQ(text->find("get_num_groups"), std::string::npos) << *text;
}

TEST(KeptLaunch, WhatTheLaunchDoesNotGiveIsRefusedByName) {
  const std::string grouped = "__kernel void k(__global int* a) { barrier(CLK_LOCAL_MEM_FENCE); }";
  const std::string plain = "__kernel void k(__global int* a) { a[get_global_id(0)] = 1; }";
  const auto why = [](const Mep& mep, const LaunchShape& shape, const std::string& source) {
    const auto text = with_kept_launch(mep, shape, source);
    return text ? "accepted" : text.error().message();
  };
  EXPECT_EQ(
      why(groups, {"k", {size("launch.global[0] // 2")}, {size("32")}}, grouped),
      "k cannot be mapped to the launch as it is: it works in groups (`barrier`) of 32, and the launch gives others");
  EXPECT_EQ(
      why(groups, {"k", {size("launch.global[0] * 2")}, {}}, plain),
      "k cannot be mapped to the launch as it is: launch.global[0] * 2 work-items are needed in dimension 0, which "
      "may be more than it gives");
  EXPECT_EQ(
      why(groups, {"k", {size("1024")}, {}}, plain),
      "k cannot be mapped to the launch as it is: 1024 work-items are needed in dimension 0, which may be more than "
      "it gives");
  EXPECT_EQ(why(groups, {"k", {size("launch.global[0]"), size("1")}, {}}, plain),
            "k cannot be mapped to the launch as it is: the launch has 1 dimensions, and 2 are needed");
  EXPECT_EQ(
      why(groups, {"k", {size("launch.global[0] // 2")}, {}}, "int all(void) { return get_global_size(0); }\n" + plain),
      "k cannot be mapped to the launch as it is: a helper of it asks for the size of the launch");
}

Mep in_cuda(Mep mep) {
  mep.language = Language::Cuda;
  return mep;
}
const LaunchShape half_the_blocks = {
    "k",
    {size("ceil_div(ceil_div(launch.global[0], launch.local[0]), 2) * launch.local[0]")},
    {size("launch.local[0]")}};

TEST(KeptLaunch, SurplusBlocksOfCudaReturnAndTheGridIsTheNewOne) {
  const auto text = with_kept_launch(
      in_cuda(groups), half_the_blocks,
      "__global__ void k(int* a) {\n  __syncthreads();\n  a[blockIdx.x] = gridDim.x + gridDim.y;\n}\n");
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(*text,
            "__global__ void k(int* a) {\n"
            "  /* The launch is the original's; blocks beyond the ones needed here do nothing. */\n"
            "  if (blockIdx.x >= (gridDim.x + 1) / 2) return;\n\n"
            "  __syncthreads();\n  a[blockIdx.x] = ((gridDim.x + 1) / 2) + gridDim.y;\n}\n");
}

TEST(KeptLaunch, WorkItemsOfCudaAreCountedInWholeBlocks) {
  const auto text = with_kept_launch(in_cuda(groups), {"k", {size("ceil_div(launch.global[0], 4)")}, {size("64")}},
                                     "__global__ void k(int* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }");
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(
      text->find(
          "if (blockIdx.x >= (((size_t(gridDim.x) * blockDim.x) + 3) / 4 + blockDim.x - 1) / blockDim.x) return;"),
      std::string::npos)
      << *text;
}

TEST(KeptLaunch, WhatMayAskForTheGridOtherwiseIsRefusedByName) {
  const auto why = [](const std::string& source) {
    const auto text = with_kept_launch(in_cuda(groups), half_the_blocks, source);
    return text ? "accepted" : text.error().message();
  };
  const std::string begin = "k cannot be mapped to the launch as it is: ";
  EXPECT_EQ(why("__global__ void k(int* a) { const dim3 g = gridDim; a[g.x] = 1; }"),
            begin + "it asks for gridDim as a whole");
  EXPECT_EQ(why("#define N gridDim.x\n__global__ void k(int* a) { a[N] = 1; }"),
            begin + "a macro of it asks for the size of the launch");
  EXPECT_EQ(why("__device__ int all() { return gridDim.x; }\n__global__ void k(int* a) { a[all()] = 1; }"),
            begin + "a helper of it asks for the size of the launch");
  EXPECT_EQ(why("__global__ void k(int* a) { cg::this_grid(); }"),
            begin + "it says `this_grid`, which may ask for the size of the launch");
  EXPECT_EQ(with_kept_launch(in_cuda(groups), {"k", {size("launch.global[0] // 2")}, {size("32")}},
                             "__global__ void k(int* a) { a[0] = 1; }")
                .error()
                .message(),
            begin + "it works in groups (`blockIdx`) of 32, and the launch gives others");
}

TEST(ShippedForm, IsWhatStandsInTheApplicationAndMakingItAgainChangesNothing) {
  const Variant proposed{Language::OpenCL,
                         "__kernel void k(__global int* a) { a[get_global_id(0)] = 1; }",
                         {{"k", {size("launch.global[0] // 2")}, {}}},
                         {}};
  PatchLimits limits;
  limits.applies = true;
  limits.kernels = {{"k", LaunchTier::Adapter, false, false, 1, "shared", "a.c:1"}};
  const auto marked = shipped_form(line, limits, proposed);
  ASSERT_TRUE(marked);
  EXPECT_NE(marked->source.find(marker_of("k")), std::string::npos);
  EXPECT_EQ(marked->launches.size(), 1U);
  EXPECT_EQ(*shipped_form(line, limits, *marked), *marked);

  limits.kernels[0].tier = LaunchTier::Kept;
  const auto kept = shipped_form(line, limits, proposed);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->launches.empty());
  EXPECT_EQ(*shipped_form(line, limits, *kept), *kept);
}

}  // namespace
}  // namespace hone::patch
