#include "patch/patch.hpp"

#include <gtest/gtest.h>

#include "application.hpp"
#include "base/text.hpp"
#include "patch/limits.hpp"

namespace hone::patch {
namespace {

using test::Application;

LaunchShape shape(const std::string& kernel, std::vector<std::string> global, std::vector<std::string> local) {
  LaunchShape out{kernel, {}, {}};
  for (const auto& text : global) out.global.push_back(*Expression::parse(text));
  for (const auto& text : local) out.local.push_back(*Expression::parse(text));
  return out;
}

Result<Patch> patched(const Application& app, const Variant& winner) {
  const auto limits = limits_of(app.mep, app.origin, app.files);
  if (!limits) return fail(limits.error());
  return make_patch(app.mep, winner, app.origin, app.files, *limits);
}

/// The diff, taken by patch and by git to the same files.
std::string agreed_diff(const Application& app, const Variant& winner) {
  auto patch = patched(app, winner);
  if (!patch) return patch.error().text();
  auto applied = apply_patch(*patch, app.files);
  EXPECT_TRUE(applied);
  EXPECT_EQ(test::after_command(app.files, patch->diff, "patch -p1 -s < ../change.diff"), *applied);
  EXPECT_EQ(test::after_command(app.files, patch->diff, "git apply ../change.diff"), *applied);
  return patch->diff;
}

Variant matmul_winner(const Application& app) {
  Variant winner;
  winner.source =
      "float16 row_of(__global const float *b, int k, int columns, int column) { return vload16(0, b + k * columns + "
      "column); }\n\n" +
      replace_all(app.mep.source, "const int column = get_global_id(0);", "const int column = get_global_id(0) * 16;");
  winner.launches = {shape("matmul", {"ceil_div(launch.global[0], 16)", "ceil_div(launch.global[1], 4)"}, {"1", "8"})};
  winner.source = replace_all(winner.source, "float sum = 0.0f;", "float16 sum = row_of(b, 0, columns, column);");
  return winner;
}

TEST(Patch, PutsAKernelFileAndItsLaunchBack) {
  const Application app = test::matmul_example();
  test::expect_golden("patch/matmul.diff", agreed_diff(app, matmul_winner(app)));
}

TEST(Patch, PutsARawStringBack) {
  const Application app = test::filter_example();
  Variant winner;
  winner.source = replace_all(app.mep.source, "    float sum = 0.0f;\n", "    float sum = 0.0f;\n#pragma unroll\n");
  winner.launches = {shape("blur", {"launch.global[0]", "launch.global[1]"}, {"64", "2"})};
  test::expect_golden("patch/filter.diff", agreed_diff(app, winner));
}

TEST(Patch, PutsStringLiteralsBackLineByLine) {
  const Application app = test::dotproduct_example();
  Variant winner;
  winner.source = replace_all(app.mep.source, "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n",
                              "    }\n    printf(\"%d\\n\", 1);\n");
  winner.launches = {shape("dot_partial", {"ceil_div(launch.global[0], launch.local[0])"}, {"1"})};
  test::expect_golden("patch/dotproduct.diff", agreed_diff(app, winner));
}

TEST(Patch, IsEmptyWhenNothingChanged) {
  const Application app = test::matmul_example();
  Variant same{Language::OpenCL, app.mep.source, {}, {}};
  EXPECT_EQ(patched(app, same)->diff, "");
}

TEST(Patch, KeepsCrLfAndEveryOtherByte) {
  Application app;
  app.files["k.cl"] = "// \xe9t\xe9\r\n__kernel void k(__global int *a)\r\n{\r\n\ta[0] = 1;\r\n}\r\n\r\n/* tail */";
  app.with_kernel("k", "k.cl", Embedding::File, "__kernel void k(__global int *a)\n{\n\ta[0] = 1;\n}",
                  "__kernel void k(__global int *a)\r\n{\r\n\ta[0] = 1;\r\n}");
  Variant winner{Language::OpenCL, "#define ONE 2\n__kernel void k(__global int *a)\n{\n\ta[0] = ONE;\n}\n", {}, {}};
  const auto patch = patched(app, winner);
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->after.at("k.cl"),
            "#define ONE 2\r\n\r\n// \xe9t\xe9\r\n__kernel void k(__global int *a)\r\n{\r\n\ta[0] = "
            "ONE;\r\n}\r\n\r\n/* tail */");
}

TEST(Patch, ClonesAHelperThatOtherKernelsUse) {
  Application app;
  const std::string helper = "float h(float x) { return x / 2; }";
  const std::string kernel = "__kernel void k(__global float *a) { a[0] = h(a[0]); }";
  app.files["k.cl"] = helper + "\n" + kernel + "\n__kernel void other(__global float *a) { a[1] = h(a[1]); }\n";
  app.with_kernel("", "k.cl", Embedding::File, helper, helper)
      .with_kernel("k", "k.cl", Embedding::File, kernel, kernel);
  Variant winner{Language::OpenCL, "float h(float x) { return x * 0.5f; }\n" + kernel, {}, {}};
  const auto patch = patched(app, winner);
  ASSERT_TRUE(patch);
  EXPECT_EQ(patch->after.at("k.cl"), helper +
                                         "\nfloat h_hone(float x) { return x * 0.5f; }\n\n"
                                         "__kernel void k(__global float *a) { a[0] = h_hone(a[0]); }\n"
                                         "__kernel void other(__global float *a) { a[1] = h(a[1]); }\n");
  EXPECT_EQ(patch->notes, std::vector<std::string>{"h is shared: cloned as h_hone, the original stays as it is"});
}

TEST(Patch, PutsAKernelInANamespaceBack) {
  Application app;
  app.mep.language = Language::Cuda;
  const std::string kernel = "template <int N>\n__global__ void k(int* a) { a[blockIdx.x] = N; }";
  const std::string taken = "__global__ void k(int* a) { a[blockIdx.x] = N; }";
  app.files["k.cu"] = "namespace of::numbers {\n\n// One a block.\n" + kernel +
                      "\n\nvoid go(int* a, int n) { k<3><<<n, 1>>>(a); }\n}\n";
  const std::string ahead = "namespace of::numbers {\n\n#define N 3\n";
  app.mep.source = ahead;
  app.with_kernel("k", "k.cu", Embedding::File, taken, taken);
  app.mep.source += "#undef N\n}\n";
  Variant winner{Language::Cuda, replace_all(app.mep.source, "= N;", "= N + 0;"), {}, {}};
  const auto patch = patched(app, winner);
  ASSERT_TRUE(patch) << patch.error().text();
  EXPECT_EQ(patch->after.at("k.cu"), replace_all(app.files.at("k.cu"), "= N;", "= N + 0;"));
}

TEST(Patch, LeavesTheDeclarationOfAKernelAsItIs) {
  Application app;
  app.mep.language = Language::Hip;
  const std::string declared = "extern \"C\" {\n__global__ void k(int* a);\n}";
  const std::string kernel = "extern \"C\" __global__ void k(int* a) { a[0] = 1; }";
  app.files["k.h"] = declared + "\n";
  app.files["k.hip"] = "#include \"k.h\"\n" + kernel + "\n";
  app.with_kernel("", "k.h", Embedding::File, declared, declared)
      .with_kernel("k", "k.hip", Embedding::File, kernel, kernel);
  app.mep.kernels = {{"k", {}}};
  const auto patch = patched(app, {Language::Hip, replace_all(app.mep.source, "= 1;", "= 2;"), {}, {}});
  ASSERT_TRUE(patch) << patch.error().text();
  EXPECT_FALSE(patch->after.contains("k.h"));
  EXPECT_EQ(patch->after.at("k.hip"), replace_all(app.files.at("k.hip"), "= 1;", "= 2;"));
}

TEST(Patch, IsRefusedWhereWhatChangedIsNoKernelThatIsFound) {
  Application app;
  const std::string kernel = "__kernel void k(__global int *a) { a[0] = 1; }";
  app.files["k.cl"] = kernel + "\n";
  app.with_kernel("k", "k.cl", Embedding::File, kernel, kernel);
  const auto patch = patched(app, {Language::OpenCL, app.mep.source + "int unused(int x) { return x; }\n", {}, {}});
  ASSERT_FALSE(patch);
  EXPECT_EQ(patch.error().code(), "E-KERNEL");
}

TEST(Patch, IsRefusedWhenTheTreeHasMovedOn) {
  Application app = test::matmul_example();
  app.files["main.c"] += "\n";
  EXPECT_EQ(patched(app, matmul_winner(app)).error().code(), "E-STALE");
  const Application fresh = test::matmul_example();
  const auto patch = patched(fresh, matmul_winner(fresh));
  EXPECT_EQ(apply_patch(*patch, app.files).error().code(), "E-STALE");
}

TEST(Patch, IsRefusedWhenTheWinnerNeedsOptionsTheHostDoesNotPass) {
  const Application app = test::matmul_example();
  Variant winner = matmul_winner(app);
  winner.options = {"-cl-fast-relaxed-math"};
  EXPECT_EQ(patched(app, winner).error().code(), "E-OPTIONS");
}

TEST(Patch, IsRefusedWhenTheKernelIsNotWhereItWas) {
  Application app = test::matmul_example();
  app.origin.files.clear();
  app.files["matmul.cl"] = replace_all(app.files["matmul.cl"], "0.0f", "0.1f");
  EXPECT_EQ(patched(app, matmul_winner(app)).error().code(), "E-ORIGIN");
}

}  // namespace
}  // namespace hone::patch
