// Kernels taken out of whatever holds them, and put back there: each style is a small program. After the patch the
// changed kernel is taken out again and has the winner's tokens.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "patch/chunks.hpp"
#include "patch/kernel_splice.hpp"
#include "source/extract.hpp"

namespace hone::patch {
namespace {

std::string all_tokens(const std::string& text) { return essence(text, {0, text.size()}); }

struct Round {
  Files after;
  std::string winner, again;  // tokens
};

/// Takes the kernel out, replaces `from` by `to` in its text and puts that back.
Round round_trip(const Files& files, const std::string& kernel, const std::string& from, const std::string& to) {
  Round out;
  const auto taken = source::extract(files, {{kernel}, {}, {}});
  EXPECT_TRUE(taken.has_value()) << taken.error().text();
  if (!taken) return out;
  EXPECT_NE(taken->source.find(from), std::string::npos) << taken->source;
  const auto winner = replace_all(taken->source, from, to);
  const auto splice = splice_kernels(taken->source, winner, taken->origin, files);
  EXPECT_TRUE(splice.has_value()) << splice.error().text();
  if (!splice) return out;
  out.after = files;
  for (const auto& [file, edits] : splice->edits) out.after[file] = apply_edits(files.at(file), edits);
  const auto again = source::extract(out.after, {{kernel}, {}, {}});
  EXPECT_TRUE(again.has_value()) << again.error().text();
  out.winner = all_tokens(winner);
  if (again) out.again = all_tokens(again->source);
  return out;
}

const char* const kBlock = R"x(#define STRINGIFY(x) #x
static const char* source = STRINGIFY(
  uint twice(uint x) { return 2u * x; }

  __kernel void f(__global uint* a, uint n)
  {
    uint i = get_global_id(0);
    if (i < n)
      a[i] = twice(a[i]);
  }
);
)x";

TEST(Texts, AMacroBlockGetsTheNewTextInPlace) {
  const auto round =
      round_trip({{"k.h", kBlock}}, "f", "uint i = get_global_id(0);", "size_t at = get_global_id(0);\n uint i = at;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.after.at("k.h").find("STRINGIFY(\n  uint twice"), std::string::npos);
}

TEST(Texts, WhatAMacroBlockCannotHoldStandsBesideItAsLiterals) {
  const auto commas =
      round_trip({{"k.h", kBlock}}, "f", "uint i = get_global_id(0);", "uint i = get_global_id(0), j = 1;");
  EXPECT_EQ(commas.again, commas.winner);
  const auto directive = round_trip({{"k.h", kBlock}}, "f", "    if (i < n)",
                                    "#pragma unroll\n    for (int k = 0; k < 1; k++)\n    if (i < n)");
  EXPECT_EQ(directive.again, directive.winner);
  EXPECT_NE(directive.after.at("k.h").find("\"#pragma unroll\\n\""), std::string::npos) << directive.after.at("k.h");
}

TEST(Texts, LinesThatAreElementsOfAnArrayStayElements) {
  const Files files = {{"main.c",
                        "const char *lines[] = {\n  \"__kernel void f(__global int *a)\\n\",\n  \"{\\n\",\n"
                        "  \"  int i = get_global_id(0);\\n\",\n  \"  a[i] = i;\\n\",\n  \"}\\n\"\n};\n"}};
  const auto round = round_trip(files, "f", "  a[i] = i;", "  int v = i;\n  a[i] = v;");
  EXPECT_EQ(round.again, round.winner);
  const auto& text = round.after.at("main.c");
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), 4) << text;
}

TEST(Texts, AMacroBetweenLiteralsIsReadAndStays) {
  const Files files = {
      {"main.c",
       "#define BLOCK 8\n#define STR_(x) #x\n#define STR(x) STR_(x)\nconst char *s =\n"
       "  \"__kernel void f(__global int *a)\\n\"\n  \"{\\n\"\n  \"  __local int t[\" STR(BLOCK) \"];\\n\"\n"
       "  \"  t[0] = 1;\\n\"\n  \"  a[0] = t[0];\\n\"\n  \"}\\n\";\n"}};
  const auto round = round_trip(files, "f", "t[0] = 1;", "t[0] = 2;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.winner.find("8"), std::string::npos);
  EXPECT_NE(round.after.at("main.c").find("t[\" STR(BLOCK) \"];"), std::string::npos) << round.after.at("main.c");
}

TEST(Texts, HelpersInOneStringKernelsInAnother) {
  const Files files = {
      {"cl.h",
       "static const char helpers[] =\n\"int twice(int x)\\n\"\n\"{ return 2 * x; }\\n\";\n"
       "static const char kernels[] =\n\"__kernel void f(__global int *a)\\n\"\n\"{\\n\"\n"
       "\"  a[0] = twice(a[0]);\\n\"\n\"}\\n\";\n"},
      {"main.c",
       "#include <CL/cl.h>\n#include \"cl.h\"\nint main(void) {\n  const char *sources[] = { helpers, kernels };\n"
       "  cl_program p = clCreateProgramWithSource(context, 2, sources, NULL, NULL);\n"
       "  clBuildProgram(p, 0, NULL, \"\", NULL, NULL);\n  cl_kernel k = clCreateKernel(p, \"f\", NULL);\n}\n"}};
  const auto round = round_trip(files, "f", "a[0] = twice(a[0]);", "a[0] = twice(a[0]) + 1;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.winner.find("twice ( int x )"), std::string::npos);
}

TEST(Texts, PythonStringsAreReadAndWritten) {
  const Files files = {
      {"run.py",
       "import pyopencl as cl\nsource = \"\"\"\n__kernel void f(__global int *a)\n{\n  a[0] = 1;\n}\n\"\"\"\n"
       "program = cl.Program(context, source).build()\n"}};
  const auto round = round_trip(files, "f", "a[0] = 1;", "int v = '\\n';\n  a[0] = v;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.after.at("run.py").find("'\\\\n'"), std::string::npos);
}

TEST(Texts, AnyFileMayHoldAKernel) {
  for (const auto* name : {"k.txt", "k.in", "k.h", "k.xyz"}) {
    const auto round =
        round_trip({{name, "__kernel void f(__global int *a)\n{\n  a[0] = 1;\n}\n"}}, "f", "a[0] = 1;", "a[0] = 2;");
    EXPECT_EQ(round.again, round.winner) << name;
  }
}

TEST(Texts, WordsThatHideAKernelStayInTheFile) {
  const Files files = {{"defs.h", "#define KERNEL __kernel\n#define GLOBAL __global\n"},
                       {"k.cl", "#include \"defs.h\"\nKERNEL void f(GLOBAL int *a)\n{\n  a[0] = 1;\n}\n"}};
  const auto round = round_trip(files, "f", "a[0] = 1;", "a[0] = 2;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_EQ(round.after.at("k.cl"), "#include \"defs.h\"\nKERNEL void f(GLOBAL int *a)\n{\n  a[0] = 2;\n}\n");
}

TEST(Texts, AKernelThatAMacroMakesIsWrittenOut) {
  const Files files = {
      {"k.cl",
       "#define MAKE(name, type) \\\n  __kernel void name(__global type *a) \\\n  { \\\n    a[0] = 1; \\\n  }\n"
       "MAKE(f_int, int)\nMAKE(f_float, float)\n"}};
  const auto round = round_trip(files, "f_int", "a[0] = 1;", "a[0] = 2;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.after.at("k.cl").find("__kernel void f_int(__global int *a)"), std::string::npos)
      << round.after.at("k.cl");
  EXPECT_NE(round.after.at("k.cl").find("MAKE(f_float, float)"), std::string::npos);
  EXPECT_TRUE(source::extract(round.after, {{"f_float"}, {}, {}}).has_value());
}

TEST(Texts, ALineOfATableThatTheHostReadsTooGetsNoKernelsText) {
  Files files = {{"k.cl",
                  "#define OP(name, e) \\\n  __kernel void map_##name(__global float *a) \\\n  { \\\n    const float x "
                  "= a[0]; \\\n"
                  "    a[0] = e; \\\n  }\n#include \"ops.def\"\n#undef OP\n"},
                 {"ops.def", "OP(twice, x * 2.0f)\nOP(half, x * 0.5f)\n"}};
  const auto put_back = [&] {
    const auto taken = source::extract(files, {{"map_twice"}, {}, {}});
    EXPECT_TRUE(taken.has_value()) << taken.error().text();
    EXPECT_EQ(can_be_replaced(taken->source, taken->origin, files).has_value(), files.size() == 2);
    const auto spliced =
        splice_kernels(taken->source, replace_all(taken->source, "2.0f", "4.0f"), taken->origin, files);
    return spliced ? std::string("replaced") : spliced.error().text();
  };
  EXPECT_EQ(put_back(), "replaced");
  files["host.c"] = "enum ops {\n#define OP(name, e) OP_##name,\n#include \"ops.def\"\n#undef OP\n};\n";
  EXPECT_EQ(put_back(),
            "E-ORIGIN  ops.def:1: a macro makes map_twice here, and host.c:3 includes the file for something else");
  files.erase("host.c");
  files["other.cl"] = "#define OP(name, e) float name##_of(float x) { return e; }\n#include \"ops.def\"\n";
  EXPECT_EQ(put_back(),
            "E-ORIGIN  ops.def:1: a macro makes map_twice here, and the file is included 2 times, at other.cl:2 too");
}

TEST(Texts, AFileOfKernelsThatIsARawStringItselfIsOne) {
  const Files files = {{"wave.cl", "R\"(\nkernel void f(global int *a)\n{\n  a[0] = 1;\n}\n)\"\n"},
                       {"main.cpp", "static const char* const source =\n#include \"wave.cl\"\n    ;\n"}};
  const auto round = round_trip(files, "f", "a[0] = 1;", "a[0] = 2;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_EQ(round.after.at("wave.cl"), "R\"(\nkernel void f(global int *a)\n{\n  a[0] = 2;\n}\n)\"\n");
}

TEST(Texts, ANameThatAMacroMakesIsTheKernelsName) {
  const Files files = {{"k.cl",
                        "#define NAME(x) my_##x\n__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\nvoid "
                        "NAME(f)(__global int *a)\n"
                        "{\n  a[0] = 1;\n}\n"}};
  const auto round = round_trip(files, "my_f", "a[0] = 1;", "a[0] = 2;");
  EXPECT_EQ(round.again, round.winner);
  EXPECT_NE(round.after.at("k.cl").find("void NAME(f)("), std::string::npos);
}

}  // namespace
}  // namespace hone::patch
