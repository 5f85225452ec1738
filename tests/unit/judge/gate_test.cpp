#include "judge/gate.hpp"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

const Variant kOriginal{
    Language::OpenCL, "kernel void k(global float* a) { a[get_global_id(0)] *= 2; }", {}, {"-DN=4"}};

std::string refused(const std::string& source, std::vector<std::string> options = {}) {
  return gate({Language::OpenCL, source, {}, std::move(options)}, kOriginal).value_or("");
}

TEST(Gate, LetsOrdinaryKernelsPass) {
  EXPECT_EQ(refused(R"(
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    #define MAD(a, b, c) fma(a, b, c)
    #define TILE 16
    constant float weights[3] = {1, 2, 3};
    float helper(float x);
    inline float helper(float x) { return MAD(x, x, 1.0f); }
    static void store(global float* p, float v) __attribute__((always_inline));
    static void store(global float* p, float v) { *p = v; }
    __attribute__((reqd_work_group_size(16, 1, 1)))
    kernel void k(global float* restrict a) {
      local float tile[TILE];
      const int i = get_global_id(0);
      const float4 v = vload4(0, a);
      #pragma unroll 4
      for (int j = 0; j < 4; ++j) tile[j] = helper(a[i * 4 + j]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i > 3) store(a + i, (float)(tile[0]) * min(v.x, v.y));
      else store(a + i, 0);
      _Pragma("unroll") for (int j = 0; j < 2; ++j) a[j] += *(global float*)(a + j);
    })"),
            "");
}

TEST(Gate, AProductWithACallIsNoDeclaration) {
  EXPECT_EQ(refused("kernel void k(global float* a) { float2 s = 0; float w = 2; s += w * vload2(0, a); s = w * "
                    "vload2(1, a); a[0] = s.x; }"),
            "");
}

TEST(Gate, AProductInsideACallIsNoDeclaration) {
  EXPECT_EQ(refused("kernel void k(global float* a) { float w = 2; vstore2(vload2(0, a) * w * vload2(1, a), 0, a); }"),
            "");
}

TEST(Gate, AQualifiedPointerDoesNotHideADeclaration) {
  EXPECT_NE(refused("kernel void k() { void *const malloc(ulong); }"), "");
  EXPECT_NE(refused("__attribute__((cold)) void *const malloc(ulong);\n"), "");
  EXPECT_NE(refused("#define Q const\nkernel void k() { void *Q malloc(ulong); }"), "");
  EXPECT_NE(refused("kernel void k() { void *N malloc(ulong); }", {"-DN=const"}), "");
}

TEST(Gate, RefusesCodeFromElsewhere) {
  EXPECT_EQ(refused("#include \"/etc/passwd\"\n"), "#include \"/etc/passwd\"");
  EXPECT_EQ(refused("#inc\\\nlude </proc/self/maps>\n"), "#include </proc/self/maps>");
  EXPECT_EQ(refused("%: include \"x.h\"\n"), "#include \"x.h\"");
  EXPECT_EQ(refused("# /**/ include \"x.h\"\n").empty(), false);
  EXPECT_NE(refused("int usleep(unsigned us);\nkernel void k() { usleep(3); }"), "");
  EXPECT_NE(refused("kernel void k() { void *malloc(ulong); malloc(3); }"), "");
  EXPECT_NE(refused("#define D(t, n, a) t n(a);\nD(int, usleep, unsigned)\n"), "");
  EXPECT_NE(refused("#define D int usleep(unsigned)\nD;\n"), "");
}

TEST(Gate, RefusesAssemblyHoweverItIsSpelled) {
  EXPECT_EQ(refused("kernel void k() { asm(\"nop\"); }"), "the word asm");
  EXPECT_EQ(refused("kernel void k() { __asm__ volatile(\"nop\"); }"), "the word __asm__");
  EXPECT_EQ(refused("#define P(a, b) a##b\nkernel void k() { P(as, m)(\"nop\"); }"), "the word asm, pasted together");
  EXPECT_EQ(refused("kernel void k() { as\\\nm(\"nop\"); }"), "the word asm");
}

TEST(Gate, RefusesAttributesPragmasAndOptionsThatAreNotListed) {
  EXPECT_NE(refused("__attribute__((constructor)) void f() {}"), "");
  EXPECT_NE(refused("void f() __attribute__((section(\".init\"))) {}"), "");
  EXPECT_NE(refused("#pragma GCC poison barrier\n"), "");
  EXPECT_NE(refused("_Pragma(\"comment(lib)\")"), "");
  EXPECT_NE(refused("", {"-I/etc"}), "");
  EXPECT_NE(refused("", {"-DX=`id`"}), "");
  EXPECT_EQ(refused("", {"-cl-mad-enable", "-DX=3", "-cl-std=CL1.2", "-DN=4"}), "");
}

TEST(Gate, RefusesPrintfClocksAndNumbersAsPointers) {
  EXPECT_NE(refused("kernel void k() { printf(\"x\"); }"), "");
  EXPECT_NE(refused("kernel void k(global ulong* a) { a[0] = __builtin_readcyclecounter(); }"), "");
  EXPECT_NE(refused("kernel void k() { *(global int*)0x700000000000 = 1; }"), "");
  EXPECT_NE(refused("kernel void k() { *(volatile global int* const)(4096) = 1; }"), "");
}

TEST(Gate, RefusesVariablesThatOutliveALaunch) {
  EXPECT_EQ(refused("global int calls;\nkernel void k() {}"), "variable calls, which outlives a launch");
  EXPECT_NE(refused("__device__ unsigned calls = 0, answers[64];\n__global__ void k() { ++calls; }"), "");
  EXPECT_NE(refused("__global__ void k() { static int calls; ++calls; }"), "");
  EXPECT_NE(refused("#define NOTES global int notes[64];\nNOTES\nkernel void k() {}"), "");
  EXPECT_NE(refused("namespace x { __managed__ float kept; }"), "");
  EXPECT_NE(refused("struct S { int a; };\nglobal struct S kept;\nkernel void k() {}"), "");
}

TEST(Gate, LeavesWhatIsNoCToTheCompiler) { EXPECT_EQ(refused("kernel void k() {}\nthis is no C\n"), ""); }

TEST(Gate, LetsConstantsTypesAndFunctionsPass) {
  EXPECT_EQ(refused("constant float w[2] = {0.5f, 2.0f};\n__constant int n = 3;\nkernel void k() {}"), "");
  EXPECT_EQ(refused("__constant__ float w[64];\nstatic const int n = 3;\nconstexpr int m = 4;\n"), "");
  EXPECT_EQ(refused("struct S {\n  static __device__ float f(float x) { return x; }\n};\n"), "");
  EXPECT_EQ(refused("typedef struct { float x, y; } P;\nstruct Q { int a; };\nenum { A, B };\n"), "");
  EXPECT_EQ(refused("static inline float f(float x) { return x; }\nkernel void k() { local float t[4]; t[0] = f(1); }"),
            "");
  EXPECT_EQ(refused("#define GLOBAL global\n#define T float\nkernel void k(GLOBAL T* a) { T s = 0; a[0] = s; }"), "");
  EXPECT_EQ(refused("constant sampler_t s = CLK_FILTER_NEAREST;\ntemplate <int N> __device__ int f() { return N; }"),
            "");
}

TEST(Gate, WhatStandsInTextsAndCommentsIsNotCode) {
  EXPECT_EQ(refused("// asm and #include \"x\" in words\n/* extern */ kernel void k() {}"), "");
}

TEST(Gate, AllowsWhatTheOriginalUses) {
  Variant original = kOriginal;
  original.source = "#include \"common.h\"\nkernel void k() { printf(\"x\"); }";
  EXPECT_FALSE(gate({Language::OpenCL, "#include \"common.h\"\nkernel void k() { printf(\"y\"); }", {}, {}}, original));
}

}  // namespace
}  // namespace hone::judge
