// Where kernels are found, what they need, and what their macros are.
#include <gtest/gtest.h>

#include "source/build_files.hpp"
#include "source/extract.hpp"

namespace hone::source {
namespace {

const char* const kKernel =
    "__kernel void f(__global float *a, int n)\n{\n  if (get_global_id(0) < n) a[get_global_id(0)] = 1;\n}\n";

std::vector<std::string> names(const Files& files) {
  std::vector<std::string> out;
  const auto found = scan(files);
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().text());
  if (found)
    for (const auto& kernel : found->kernels) out.push_back(kernel.name);
  return out;
}

Extraction taken(const Files& files, const std::string& kernel, std::map<std::string, std::string> defines = {}) {
  auto out = extract(files, {{kernel}, {}, std::move(defines)});
  EXPECT_TRUE(out.has_value()) << (out ? "" : out.error().text());
  if (!out) return {};
  for (const auto& note : out->notes)
    EXPECT_FALSE(note.starts_with("Clang does not accept")) << note << "\n" << out->source;
  return *out;
}

const Define* define_of(const Extraction& extraction, const std::string& name) {
  for (const auto& define : extraction.defines)
    if (define.name == name) return &define;
  return nullptr;
}

TEST(FindKernels, InCudaAndHipWithTemplatesScopesAndBounds) {
  const Files files = {{"a.cu",
                        "namespace x {\ntemplate <typename T> __global__ void scale(T *a) { a[0] *= 2; }\n}\n"
                        "extern \"C\" __global__ void __launch_bounds__(256) plain(float *a) { a[0] = 1; }\n"
                        "extern \"C\" {\n__global__ void inside(float *a) { a[0] = 1; }\n}\n"}};
  EXPECT_EQ(names(files), (std::vector<std::string>{"scale", "plain", "inside"}));
  const auto one = taken(files, "scale");
  EXPECT_NE(one.source.find("namespace x {"), std::string::npos);
  EXPECT_EQ(one.source.find("plain"), std::string::npos);
}

/// Also of what Clang does not know alone: types that vendors' headers declare.
std::string source_of(const Files& files, const std::string& kernel) {
  const auto made = extract(files, {{kernel}, {}, {}});
  EXPECT_TRUE(made) << made.error().text();
  return made ? made->source : std::string();
}

TEST(TakeKernels, ComeWithTheVendorsHeadersThatTheyNeedAndNoOthers) {
  const Files files = {{"a.cuh", "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_runtime.h>\n"},
                       {"a.cu",
                        "#include \"a.cuh\"\n__device__ float wide(__half h) { return __half2float(h); }\n"
                        "__global__ void narrow(const __half *a, float *b) { b[0] = wide(a[0]); }\n"
                        "__global__ void plain(float *a) { a[0] = 1; }\n"}};
  const auto halves = source_of(files, "narrow");
  EXPECT_TRUE(halves.starts_with("#include <cuda_fp16.h>\n")) << halves;
  EXPECT_EQ(halves.find("bf16"), std::string::npos) << halves;
  EXPECT_EQ(source_of(files, "plain").find("#include"), std::string::npos);
}

TEST(TakeKernels, ComeWithCsHeadersWhoseWordsTheySayInCudaOnly) {
  const Files files = {{"a.cu",
                        "#include <climits>\n#include <stdint.h>\n#include <assert.h>\n"
                        "__global__ void most(uint32_t *a) { assert(a != nullptr); a[0] = 1; }\n"},
                       {"b.cl", "#include <limits.h>\n__kernel void least(__global int *a) { a[0] = INT_MIN; }\n"}};
  const auto most = source_of(files, "most");
  EXPECT_TRUE(most.starts_with("#include <stdint.h>\n#include <assert.h>\n")) << most;
  EXPECT_EQ(most.find("climits"), std::string::npos) << most;
  EXPECT_EQ(source_of(files, "least").find("#include"), std::string::npos);
}

TEST(TakeKernels, InAHeaderComeWithWhatItsIncluderIncludesBeforeIt) {
  const Files files = {{"k.h", "__global__ void narrow(__half *a) { a[0] = __float2half(1.0f); }\n"},
                       {"main.cu", "#include <cuda_fp16.h>\n#include <hip/hip_fp16.h>\n#include \"k.h\"\n"}};
  const auto narrow = source_of(files, "narrow");
  EXPECT_TRUE(narrow.starts_with("#include <cuda_fp16.h>\n")) << narrow;
  EXPECT_EQ(narrow.find("hip"), std::string::npos) << narrow;
}

TEST(TakeKernels, LeaveBehindVariablesOfTheHostThatShareItsParametersNames) {
  const Files files = {
      {"a.cu",
       "float code[] = {1, 2};\nstatic int *n;\nconst float part = 0.5f;\n__device__ float twice = 2;\n"
       "__global__ void scale(const float *code, float *to, int n) { to[0] = code[n] * part * twice; }\n"}};
  const auto scale = source_of(files, "scale");
  EXPECT_EQ(scale.find("float code[] ="), std::string::npos) << scale;
  EXPECT_EQ(scale.find("static int"), std::string::npos) << scale;
  EXPECT_NE(scale.find("const float part = 0.5f;"), std::string::npos) << scale;
  EXPECT_NE(scale.find("__device__ float twice"), std::string::npos) << scale;
}

TEST(TakeKernels, TakeTheHostsNamesForTypesThatOnlyOpenClKnowsByItself) {
  const Files files = {{"bytes.h", "typedef unsigned char uchar;\n"},
                       {"a.cu", "#include \"bytes.h\"\n__global__ void most(uchar *a) { a[0] = 255; }\n"},
                       {"b.cl", "#include \"bytes.h\"\n__kernel void least(__global uchar *a) { a[0] = 0; }\n"}};
  EXPECT_TRUE(source_of(files, "most").starts_with("typedef unsigned char uchar;\n"));
  EXPECT_EQ(source_of(files, "least").find("typedef"), std::string::npos);
}

TEST(TakeKernels, ComeWithOperatorsOfTheTypesThatTheyUse) {
  const Files files = {{"a.cu",
                        "struct Pair { float a, b; };\nstruct Other { int a; };\n"
                        "__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, 0, 0, 0); }\n"
                        "__device__ void operator+=(Pair &a, Pair b) { a.a += b.a; }\n"
                        "__device__ Other operator*(Other a, Other b) { return a; }\n"
                        "__global__ void add(float4 *a, Pair *p) { a[0] = a[1] + a[2]; p[0] += p[1]; }\n"
                        "__global__ void one(float *a) { a[0] = a[1] + a[2]; }\n"}};
  const auto add = source_of(files, "add");
  EXPECT_NE(add.find("operator+(float4"), std::string::npos) << add;
  EXPECT_NE(add.find("operator+=(Pair"), std::string::npos) << add;
  EXPECT_EQ(add.find("operator*"), std::string::npos) << add;
  EXPECT_EQ(source_of(files, "one").find("operator"), std::string::npos);
}

TEST(TakeKernels, OfCudaMayBeCalledKernel) {
  const Files files = {
      {"a.cu", "__global__ void\nkernel(float *a) { a[0] = 1; }\nvoid go(float *a) { kernel<<<1, 1>>>(a); }\n"}};
  EXPECT_NE(source_of(files, "kernel").find("kernel(float *a) { a[0] = 1; }"), std::string::npos);
}

TEST(TakeKernels, LeaveBehindWhatIsMadeOfTheHostsContainers) {
  const Files files = {
      {"a.h",
       "#include <vector>\nstruct Pair { float size, depth; };\n"
       "struct Forces { std::vector<float> x, forces; Pair pair; };\nForces forces(const Forces &of);\n"},
      {"a.cu",
       "#include \"a.h\"\n__constant__ Pair pair;\n"
       "__global__ void push(float4 *forces) { Pair p = pair; forces[0].x = p.size; }\n"
       "void Forces_of(Forces &f) { push<<<1, 1>>>(nullptr); }\n"}};
  const auto text = taken(files, "push").source;
  EXPECT_EQ(text.find("std::"), std::string::npos) << text;
  EXPECT_NE(text.find("struct Pair"), std::string::npos) << text;
}

TEST(FindKernels, NamesThatAreNotListedAreExplained) {
  const Files files = {
      {"k.cl",
       std::string(kKernel) +
           "/* __kernel void old(__global float *a) {} */\n#if 0\n__kernel void off(__global float *a) {}\n#endif\n"
           "__kernel void declared(__global float *a);\n"}};
  const auto found = scan(files);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kernels.size(), 1U);
  ASSERT_EQ(found->explained.size(), 3U);
  EXPECT_EQ(found->explained[0], "k.cl:5: old is not listed: it stands in a comment");
  EXPECT_EQ(found->explained[1], "k.cl:7: off is not listed: it stands under #if 0");
  EXPECT_EQ(found->explained[2], "k.cl:9: declared is not listed: it is declared there, not defined");
}

TEST(FindKernels, TheOpenClOneOfSeveralLanguagesIsTakenAndTheOthersNamed) {
  const Files files = {{"cl/k.cl", kKernel}, {"cuda/k.cu", "__global__ void f(float *a, int n) { a[0] = n; }\n"}};
  const auto one = taken(files, "f");
  EXPECT_EQ(one.language, Language::OpenCL);
  ASSERT_FALSE(one.notes.empty());
  EXPECT_EQ(one.notes[0], "f is also in cuda/k.cu: the OpenCL one is taken; --file chooses another");
}

TEST(FindKernels, SeveralDefinitionsAreListed) {
  const auto none = extract({{"a.cl", kKernel}, {"b.cl", kKernel}, {"c.cl", kKernel}}, {{"f"}, {}, {}});
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().text().find("a.cl and b.cl and c.cl"), std::string::npos);
  EXPECT_TRUE(extract({{"a.cl", kKernel}, {"b.cl", kKernel}}, {{"f"}, "b.cl", {}}).has_value());
}

TEST(Includes, NestedOnesAreFoundBesideAtTheRootAndThroughTheHostsFolders) {
  const Files files = {
      {"kernels/k.cl", "#include \"inner/a.h\"\n__kernel void f(__global real *a) { a[0] = ONE; }\n"},
      {"kernels/inner/a.h", "#ifndef A_H\n#define A_H\n#include \"types.clh\"\n#define ONE 1\n#endif\n"},
      {"other/types.clh", "typedef int real;\n"},
      {"include/types.clh", "typedef float real;\n"},
      {"main.c",
       "#include <CL/cl.h>\nint main(void) {\n  cl_program p = load_program(\"kernels/k.cl\");\n"
       "  clBuildProgram(p, 0, NULL, \"-I include\", NULL, NULL);\n  cl_kernel k = clCreateKernel(p, \"f\", "
       "NULL);\n}\n"}};
  const auto one = taken(files, "f");
  EXPECT_EQ(one.source.find("A_H"), std::string::npos);
  EXPECT_NE(one.source.find("real;"), std::string::npos);
}

TEST(Options, WhatTheHostBuildsWithIsKept) {
  const std::string text = "\"__kernel void f(__global float *a) { a[get_global_id(0)] = 1; }\"";
  const Files files = {
      {"main.c",
       "#include <CL/cl.h>\nint main(void) {\n  const char *text = " + text +
           ";\n  size_t n = 64;\n  cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, NULL);\n"
           "  clBuildProgram(p, 0, NULL, \"-cl-fast-relaxed-math -DN=1 -cl-std=CL2.0 -cl-nv-verbose\", NULL, NULL);\n"
           "  cl_kernel k = clCreateKernel(p, \"f\", NULL);\n"
           "  clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL, NULL);\n}\n"}};
  EXPECT_EQ(taken(files, "f").options, (std::vector<std::string>{"-cl-fast-relaxed-math", "-cl-std=CL2.0"}));
}

TEST(Options, BindingsThatBuildAtOnceAskForTheirOwnLanguage) {
  const auto built_with = [](const std::string& first) {
    const Files files = {
        {"main.cpp",
         first +
             "int main() {\n  cl::Context context;\n  cl::CommandQueue queue(context);\n"
             "  cl::Program p(context, \"__kernel void f(__global float *a) { a[get_global_id(0)] = 1; }\", true);\n"
             "  cl::Kernel k(p, \"f\");\n"
             "  queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(64), cl::NullRange);\n}\n"}};
    return taken(files, "f").options;
  };
  EXPECT_EQ(built_with("#include <CL/opencl.hpp>\n"), (std::vector<std::string>{"-cl-std=CL2.0"}));
  EXPECT_TRUE(built_with("#define CL_HPP_CL_1_2_DEFAULT_BUILD\n#include <CL/opencl.hpp>\n").empty());
}

TEST(Defines, ANameThatOnlyConditionsAskForIsUndefined) {
  const Files files = {{"k.cl",
                        "#ifdef USE_DOUBLE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
                        "__kernel void f(__global real *a) { a[0] = 1; }\n"}};
  const auto one = taken(files, "f");
  EXPECT_TRUE(one.defines.empty());
  EXPECT_NE(one.source.find("typedef float real;"), std::string::npos);
  EXPECT_EQ(one.source.find("double"), std::string::npos);
  const auto other = taken(files, "f", {{"USE_DOUBLE", "1"}});
  EXPECT_NE(other.source.find("typedef double real;"), std::string::npos);
}

TEST(Defines, WhatNobodyDefinesIsGuessedByItsUseAndSaidSo) {
  const Files files = {
      {"k.cl", "__kernel void f(__global TYPE *a) { __local TYPE t[TILE]; t[0] = a[0]; a[1] = t[0]; }\n"}};
  const auto one = taken(files, "f");
  ASSERT_NE(define_of(one, "TYPE"), nullptr);
  EXPECT_EQ(define_of(one, "TYPE")->value, "float");
  ASSERT_NE(define_of(one, "TILE"), nullptr);
  EXPECT_EQ(define_of(one, "TILE")->value, "16");
  EXPECT_EQ(define_of(one, "TILE")->provenance.kind, Provenance::Kind::Guessed);
  const auto set = taken(files, "f", {{"TILE", "4"}});
  EXPECT_EQ(define_of(set, "TILE")->value, "4");
  EXPECT_EQ(define_of(set, "TILE")->provenance.kind, Provenance::Kind::Set);
}

TEST(Defines, AHostsMacroIsInferred) {
  const Files files = {{"host.h", "#define TILE 32\n"},
                       {"k.cl", "__kernel void f(__global int *a) { __local int t[TILE]; t[0] = 1; a[0] = t[0]; }\n"}};
  const auto one = taken(files, "f");
  ASSERT_TRUE(one.source.find("#define TILE 32") != std::string::npos || define_of(one, "TILE") != nullptr);
}

TEST(Defines, AKernelUnderAConditionBringsWhatItNeeds) {
  const Files files = {{"k.cl", "#if MODE == 2\n__kernel void f(__global int *a) { a[0] = 1; }\n#endif\n"}};
  const auto one = taken(files, "f");
  ASSERT_NE(define_of(one, "MODE"), nullptr);
  EXPECT_EQ(define_of(one, "MODE")->value, "2");
  EXPECT_EQ(one.source, "__kernel void f(__global int *a) { a[0] = 1; }\n");
}

TEST(Defines, OfMakefilesFollowVariablesAndConditions) {
  const auto found = build_defines(
      {{"Makefile",
        "PREC ?= double\nSIZE = 16\nifeq ($(PREC),double)\nFLAGS += -DUSE_DOUBLE\nelse\nFLAGS += -DUSE_FLOAT\n"
        "endif\nFLAGS += -DTILE=$(SIZE)\n"},
       {"lib/CMakeLists.txt", "add_definitions(-DA=1)\ntarget_compile_definitions(x PRIVATE B=2 C)\n"}});
  std::map<std::string, std::string> values;
  for (const auto& define : found) values[define.name] = define.value;
  EXPECT_EQ(values, (std::map<std::string, std::string>{
                        {"USE_DOUBLE", "1"}, {"TILE", "16"}, {"A", "1"}, {"B", "2"}, {"C", "1"}}));
}

TEST(Closure, ABodyThatBeginsInOneBranchTakesTheWholeConditional) {
  const Files files = {{"k.cl",
                        "#ifdef WIDE\n__kernel void f(__global float4 *a) {\n#else\n__kernel void f(__global float *a) "
                        "{\n#endif\n  a[0] = 1;\n}\n"
                        "__kernel void g(__global float *a) { a[0] = 2; }\n"}};
  EXPECT_EQ(names(files), (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(taken(files, "g").source, "__kernel void g(__global float *a) { a[0] = 2; }\n");
}

}  // namespace
}  // namespace hone::source
