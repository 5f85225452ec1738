#include "device/compiler/report.hpp"

#include <gtest/gtest.h>

#include "device/cuda/entries.hpp"

namespace hone::device {
namespace {

TEST(Report, EachKernelHasItsOwnNumbersWhateverItCalls) {
  const auto kernels = ptxas_report(
      "ptxas info    : 24 bytes gmem, 64 bytes cmem[3]\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_86'\n"
      "ptxas info    : Function properties for first\n"
      "    32 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 32 bytes cumulative stack size, 2048 bytes smem, 376 bytes "
      "cmem[0]\n"
      "ptxas info    : Function properties for helper\n"
      "    96 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Compiling entry function '_ZN1n6secondIfLi4EEEvPT_' for 'sm_86'\n"
      "ptxas info    : Function properties for _ZN1n6secondIfLi4EEEvPT_\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, 360 bytes cmem[0]\n");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "first");
  EXPECT_EQ(kernels[0].numbers.at("registers"), 40);
  EXPECT_EQ(kernels[0].numbers.at("spill_stores"), 8);
  EXPECT_EQ(kernels[0].numbers.at("spill_loads"), 12);
  EXPECT_EQ(kernels[0].numbers.at("private_bytes"), 32);
  EXPECT_EQ(kernels[0].numbers.at("local_bytes"), 2048);
  EXPECT_EQ(kernels[1].kernel, "n::second<float, 4>");
  EXPECT_EQ(kernels[1].numbers.at("registers"), 8);
  EXPECT_EQ(kernels[1].numbers.at("local_bytes"), 0);
}

TEST(Report, RemarksOfAmdsCompilerAreRead) {
  const auto kernels = amd_report(
      "r.hip:2:1: remark: Function Name: k [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     SGPRs: 13 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     VGPRs: 128 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     AGPRs: 4 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     ScratchSize [bytes/lane]: 60 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     Occupancy [waves/SIMD]: 3 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     VGPRs Spill: 14 [-Rpass-analysis=kernel-resource-usage]\n"
      "r.hip:2:1: remark:     LDS Size [bytes/block]: 256 [-Rpass-analysis=kernel-resource-usage]\n");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].numbers.at("registers"), 132);
  EXPECT_EQ(kernels[0].numbers.at("scalar_registers"), 13);
  EXPECT_EQ(kernels[0].numbers.at("spilled_registers"), 14);
  EXPECT_EQ(kernels[0].numbers.at("private_bytes"), 60);
  EXPECT_EQ(kernels[0].numbers.at("local_bytes"), 256);
}

TEST(Entries, KernelsAndWhatTheyTakeAreReadFromPtx) {
  const auto entries = cuda::entries_of(
      ".visible .entry _ZN1n1kEPfi4Pair(\n\t.param .u64 p_0,\n\t.param .u32 p_1,\n\t.param .align 8 .b8 p_2[24]\n)\n{ "
      "ret; }\n"
      ".entry _ZN47_GLOBAL__N__00000000_9_kernel_cu_138051d3_279224meanEPKfPf(\n\t.param .u64 p_0\n)\n{ ret; }\n"
      ".visible .entry a()\n{ ret; }\n");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "n::k");
  EXPECT_EQ(entries[0].parameter_bytes, (std::vector<std::size_t>{8, 4, 24}));
  EXPECT_EQ(entries[1].name, "mean") << "of a namespace without a name";
  EXPECT_EQ(entries[2].name, "a") << "not the type that this letter stands for in mangled names";
  EXPECT_TRUE(entries[2].parameter_bytes.empty());
}

}  // namespace
}  // namespace hone::device
