#include "patch/chunks.hpp"

#include <gtest/gtest.h>

#include "patch/revision.hpp"

namespace hone::patch {
namespace {

std::string text_of(const std::string& source, const Chunk& chunk) {
  return source.substr(chunk.range.begin, chunk.range.end - chunk.range.begin);
}

const std::string source =
    "#define TS 16 /* tile */\n"
    "typedef struct { float x; int y; } Pair;\n"
    "__constant float weights[3] = {1, 2, 3};\n"
    "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
    "float twice(float x) { return x + x; } // doubles\n"
    "\n"
    "/* far away */\n"
    "\n"
    "// The kernel;\n"
    "// with \"quotes\" and {.\n"
    "__kernel __attribute__((reqd_work_group_size(TS, 1, 1)))\nvoid run(__global float *a) { a[0] = twice(a[1]); }\n";

TEST(Chunks, AreTheTopLevelDeclarationsWithTheirNames) {
  std::vector<std::string> names;
  for (const auto& chunk : chunks_of(source)) names.push_back(chunk.name);
  EXPECT_EQ(names, (std::vector<std::string>{"TS", "Pair", "weights", "", "twice", "run"}));
}

TEST(Chunks, KnowKernelsAndTheCommentsDirectlyAbove) {
  const auto chunks = chunks_of(source);
  EXPECT_TRUE(chunks.back().kernel);
  EXPECT_FALSE(chunks[4].kernel);
  EXPECT_EQ(source.substr(chunks.back().lead, 14), "// The kernel;");
  EXPECT_EQ(chunks[4].lead, chunks[4].range.begin);
  EXPECT_EQ(text_of(source, chunks[3]).substr(0, 6), "#ifdef");
}

TEST(Chunks, InNamespacesAndInExternCAreDeclarationsForThemselves) {
  const std::string inside =
      "namespace a::b {\nint h(int x) { return x; }\n// The kernel.\n__global__ void k(int *a) { a[0] = h(1); }\n}\n"
      "extern \"C\" {\n__global__ void l(int *a) { a[0] = 2; }\n}\n"
      "extern \"C\" __global__ void m(int *a) { a[0] = 3; }\nnamespace c = a::b;\nusing namespace c;\n";
  std::vector<std::string> names, kernels;
  for (const auto& chunk : chunks_of(inside)) {
    names.push_back(chunk.name);
    if (chunk.kernel) kernels.push_back(text_of(inside, chunk));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"", "h", "k", "", "", "l", "", "m", "c", "c"}));
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0], "__global__ void k(int *a) { a[0] = h(1); }");
  EXPECT_EQ(kernels[2], "extern \"C\" __global__ void m(int *a) { a[0] = 3; }");
}

TEST(Chunks, WithDifferentLayoutHaveTheSameEssence) {
  const std::string a = "int f(int x) { return x; }";
  const std::string b = "int f( int x )\n{\n  return x; // same\n}";
  EXPECT_EQ(essence(a, {0, a.size()}), essence(b, {0, b.size()}));
}

TEST(Revision, ClonesAChangedHelperAndWhateverCallsIt) {
  const std::string before =
      "float h(float x) { return x; }\nfloat g(float x) { return h(x); }\n__kernel void k(__global float *a) { a[0] = "
      "g(a[0]); }\n";
  const std::string after =
      "float h(float x) { return x * 1; }\nfloat g(float x) { return h(x); }\n__kernel void k(__global float *a) { "
      "a[0] = g(a[0]); }\n";
  const auto revision = revise(before, after, {});
  ASSERT_EQ(revision.kernels.size(), 1u);
  EXPECT_EQ(revision.kernels[0].text, "__kernel void k(__global float *a) { a[0] = g_hone(a[0]); }");
  ASSERT_EQ(revision.additions.size(), 2u);
  EXPECT_EQ(revision.additions[0].text, "float h_hone(float x) { return x * 1; }");
  EXPECT_EQ(revision.additions[1].text, "float g_hone(float x) { return h_hone(x); }");
  EXPECT_EQ(revision.notes.size(), 2u);
}

TEST(Revision, ClonesAChangedMacroInsideOtherMacrosToo) {
  const auto revision = revise("#define N 4\n#define M (N * 2)\n__kernel void k(__global int *a) { a[0] = M; }\n",
                               "#define N 8\n#define M (N * 2)\n__kernel void k(__global int *a) { a[0] = M; }\n", {});
  ASSERT_EQ(revision.additions.size(), 2u);
  EXPECT_EQ(revision.additions[1].text, "#define M_hone (N_hone * 2)");
  EXPECT_EQ(revision.kernels.at(0).text, "__kernel void k(__global int *a) { a[0] = M_hone; }");
}

TEST(Revision, GivesANewHelperAnotherNameWhenTheFileUsesItAlready) {
  const auto revision =
      revise("__kernel void k(__global int *a) { a[0] = 1; }",
             "int one(void) { return 1; }\n__kernel void k(__global int *a) { a[0] = one(); }", {"one"});
  EXPECT_EQ(revision.additions.at(0).name, "one_hone");
  EXPECT_EQ(revision.kernels.at(0).text, "__kernel void k(__global int *a) { a[0] = one_hone(); }");
}

TEST(Revision, NamesAKernelTheApplicationDoesNotHave) {
  const auto revision = revise("__kernel void k() { }", "__kernel void k() { }\n__kernel void extra() { }", {});
  EXPECT_EQ(revision.unknown_kernels, std::vector<std::string>{"extra"});
}

}  // namespace
}  // namespace hone::patch
