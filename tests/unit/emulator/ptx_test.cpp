// PTX in, memory as the kernel leaves it out. Texts are what compilers write, cut to what the test is about.

#include <gtest/gtest.h>

#include <cstring>

#include "emulator/program.hpp"
#include "emulator/ptx/translate.hpp"

namespace hone::emulator {
namespace {

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A kernel k(int* a) with one block of `threads`.
struct Ended {
  std::optional<Fault> fault;
  std::vector<int> values;
};
Ended ended(const std::string& body, std::vector<int> values, std::uint32_t threads, Order order = Order::Ascending,
            const std::string& before = "") {
  auto program = Program::load(kHead + before + ".visible .entry k(\n.param .u64 k_param_0\n)\n{\n" + body + "}\n");
  EXPECT_TRUE(program) << program.error().text();
  if (!program) return {};
  const auto kernel = (*program)->kernel("k");
  EXPECT_TRUE(kernel) << kernel.error().text();
  if (!kernel) return {};
  Memory memory(1 << 20);
  const auto at = memory.allocate(values.size() * sizeof(int));
  std::memcpy(reinterpret_cast<void*>(at), values.data(), values.size() * sizeof(int));  // NOLINT
  auto launch = (*program)->launch_of(**kernel);
  launch.block = {threads, 1, 1};
  launch.order = order;
  launch.params.resize(sizeof at);
  std::memcpy(launch.params.data(), &at, sizeof at);
  Ended out;
  out.fault = Grid(memory).run(launch);
  out.values.resize(values.size());
  std::memcpy(out.values.data(), reinterpret_cast<void*>(at), values.size() * sizeof(int));  // NOLINT
  return out;
}

const std::string kAddress =
    ".reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [k_param_0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n";

TEST(Ptx, AKernelRunsOverItsThreads) {
  EXPECT_EQ(ended(kAddress + "ld.global.u32 %r2, [%rd3]; add.s32 %r3, %r2, %r1; st.global.u32 [%rd3], %r3; ret;\n",
                  {5, 5, 5}, 3)
                .values,
            (std::vector<int>{5, 6, 7}));
}

TEST(Ptx, AnAccessPastTheEndNamesTheThread) {
  const auto end = ended(kAddress + "st.global.u32 [%rd3+4], %r1; ret;\n", {0, 0, 0}, 3);
  ASSERT_TRUE(end.fault);
  EXPECT_EQ(end.fault->kind, Fault::Kind::Address);
  EXPECT_NE(end.fault->words.find("thread 2,0,0"), std::string::npos) << end.fault->words;
}

TEST(Ptx, AMisalignedAccessIsAFault) {
  const auto end = ended(kAddress + "ld.global.u32 %r2, [%rd1+2]; ret;\n", {0, 0}, 1);
  ASSERT_TRUE(end.fault);
  EXPECT_EQ(end.fault->kind, Fault::Kind::Alignment);
}

TEST(Ptx, ABarrierThatNotAllReachIsReportedNotWaitedFor) {
  const auto end = ended(kAddress + "setp.lt.u32 %p1, %r1, 2; @%p1 bar.sync 1, 4; ret;\n", {0}, 4);
  ASSERT_TRUE(end.fault);
  EXPECT_EQ(end.fault->kind, Fault::Kind::Barrier);
  EXPECT_NE(end.fault->words.find("divergent barrier"), std::string::npos);
}

TEST(Ptx, WhatDependsOnTheOrderOfThreadsIsSeenByTurningItRound) {
  // All threads write the same place without an atomic: the last one wins.
  const auto race = kAddress + "st.global.u32 [%rd1], %r1; ret;\n";
  EXPECT_EQ(ended(race, {9}, 4, Order::Ascending).values[0], 3);
  EXPECT_EQ(ended(race, {9}, 4, Order::Descending).values[0], 0);
  const auto sound = kAddress + "red.global.add.u32 [%rd1], %r1; ret;\n";
  EXPECT_EQ(ended(sound, {9}, 4, Order::Ascending).values[0], 15);
  EXPECT_EQ(ended(sound, {9}, 4, Order::Descending).values[0], 15);
}

TEST(Ptx, RegistersOfAnInnerScopeHideThoseOutside) {
  EXPECT_EQ(ended(kAddress + "mov.u32 %r2, 7;\n{ .reg .b32 t; mov.u32 t, 40; add.u32 %r2, %r2, t; }\n{ .reg .b32 t; "
                             "mov.u32 t, 1; add.u32 %r2, %r2, t; }\n"
                             "st.global.u32 [%rd1], %r2; ret;\n",
                  {0}, 1)
                .values[0],
            48);
}

TEST(Ptx, VariablesComeWithTheirContentsAndAddresses) {
  const std::string before = ".global .align 4 .b32 table[3] = {10, 20, 30};\n.global .align 8 .u64 to = table;\n";
  EXPECT_EQ(ended(kAddress + "ld.global.u64 %rd4, [to]; ld.global.u32 %r2, [%rd4+8]; st.global.u32 [%rd1], %r2; ret;\n",
                  {0}, 1, Order::Ascending, before)
                .values[0],
            30);
}

TEST(Ptx, FloatsThatLieInUntypedRegistersKeepTheirBits) {
  EXPECT_EQ(ended(kAddress + "mov.b32 %r2, 0f40200000; add.rn.f32 %r3, %r2, 0f3F800000; cvt.rni.s32.f32 %r4, %r3; "
                             "st.global.u32 [%rd1], %r4; ret;\n",
                  {0}, 1)
                .values[0],
            4)
      << "3.5 rounds to even";
}

TEST(Ptx, RoundingInADirectionIsKept) {
  EXPECT_EQ(ended(kAddress + "add.rp.f32 %r2, 0f3F800000, 0f2F800000; st.global.u32 [%rd1], %r2; add.rn.f32 %r2, "
                             "0f3F800000, 0f2F800000; st.global.u32 [%rd1+4], %r2; ret;\n",
                  {0, 0}, 1)
                .values,
            (std::vector<int>{0x3F800001, 0x3F800000}));
}

TEST(Ptx, WhatIsNotEmulatedIsRefusedByName) {
  const auto refusal = [](const std::string& body) {
    auto program = Program::load(
        kHead + ".visible .entry k()\n{\n.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n" + body + "ret;\n}\n");
    EXPECT_TRUE(program);
    const auto kernel = (*program)->kernel("k");
    return kernel ? std::string("it was taken") : kernel.error().message();
  };
  EXPECT_EQ(refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];"),
            "k: tex.2d.v4.f32.f32 is not emulated");
  EXPECT_EQ(refusal("barrier.cluster.arrive;"), "k: barrier.cluster.arrive is not emulated");
  EXPECT_NE(refusal("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2}, [%rd1];").find("wmma.load.a"),
            std::string::npos);
}

TEST(Ptx, TextThatIsNoPtxIsAnErrorNotACrash) {
  EXPECT_FALSE(Program::load("int main() { return 0; }"));
  EXPECT_TRUE(Program::load(kHead));
  EXPECT_FALSE((*Program::load(kHead))->kernel("k"));
}

}  // namespace
}  // namespace hone::emulator
