#include <gtest/gtest.h>

#include "application.hpp"
#include "base/text.hpp"
#include "patch/launch_splice.hpp"

namespace hone::patch {
namespace {

LaunchShape shape(std::vector<std::string> global, std::vector<std::string> local) {
  LaunchShape out{"k", {}, {}};
  for (const auto& text : global) out.global.push_back(*Expression::parse(text));
  for (const auto& text : local) out.local.push_back(*Expression::parse(text));
  return out;
}

const LaunchShape tiled = shape({"ceil_div(launch.global[0], 16)", "launch.global[1]"}, {"8", "4"});

/// The file with the launch changed, or the error.
std::string spliced(const std::string& file, const std::string& call, const LaunchShape& wanted,
                    std::size_t dimensions = 2) {
  test::Application app;
  app.files["host.c"] = file;
  app.with_launch("k", "host.c", call, std::vector<std::string>(dimensions, "n"));
  auto edits = splice_launches({wanted}, app.origin, app.files);
  if (!edits) return edits.error().text();
  return edits->empty() ? file : apply_edits(file, edits->at("host.c"));
}

TEST(Launch, GetsArraysJustBeforeTheCall) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, &e)";
  EXPECT_EQ(spliced("void f() {\n  err = " + call + ";\n}\n", call, tiled),
            "void f() {\n"
            "  const size_t hone_local[2] = {8, 4};\n"
            "  const size_t hone_global[2] = {((global[0] + 15) / 16 + 7) / 8 * 8, (global[1] + 3) / 4 * 4};\n"
            "  err = clEnqueueNDRangeKernel(q, k, 2, NULL, hone_global, hone_local, 0, NULL, &e);\n}\n");
}

TEST(Launch, ChangesTheLocalSizeWhereItIsWrittenWhenNothingElseUsesIt) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, NULL, global, local, 0, NULL, &e)";
  EXPECT_EQ(spliced("void f() {\n  const size_t local[2] = {max(T, 2), T};\n  " + call + ";\n}\n", call, tiled),
            "void f() {\n  const size_t local[2] = {8, 4};\n"
            "  const size_t hone_global[2] = {((global[0] + 15) / 16 + 7) / 8 * 8, (global[1] + 3) / 4 * 4};\n"
            "  clEnqueueNDRangeKernel(q, k, 2, NULL, hone_global, local, 0, NULL, &e);\n}\n");
  const std::string scalar = "clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &l, 0, NULL, NULL)";
  EXPECT_EQ(spliced("{size_t n = 9, m = 3; size_t l = g(2, 3);" + scalar + ";}", scalar,
                    shape({"launch.global[0]"}, {"1"}), 1),
            "{size_t n = 9, m = 3; size_t l = 1;" + scalar + ";}");
}

TEST(Launch, LeavesALocalSizeThatSomethingElseUses) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &l, 0, NULL, NULL)";
  const auto wanted = shape({"launch.global[0]"}, {"1"});
  for (const std::string before :
       {"size_t l = 64; printf(\"%zu\", l);", "#define L l\nsize_t l = 64;", "size_t l; set(\"\");", "long l = 64;"}) {
    const auto result = spliced("{" + before + "\n" + call + ";}", call, wanted, 1);
    EXPECT_NE(result.find(before), std::string::npos) << result;
    EXPECT_NE(result.find("hone_local[1] = {1}"), std::string::npos) << result;
  }
  // The new global size is made from the old local one.
  const auto product = shape({"launch.global[0] * launch.local[0]"}, {"1"});
  const auto result = spliced("{size_t l = 64;\n" + call + ";}", call, product, 1);
  EXPECT_NE(result.find("size_t l = 64;"), std::string::npos) << result;
}

TEST(Launch, GetsThemBeforeTheWholeStatementWhenTheCallIsNested) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, global, local, 0, 0, 0)";
  const std::string result =
      spliced("void f()\n{\n\tint x = g({1, 2});\n\tif (check(" + call + ", \"a;b\"))\n\t\treturn;\n}\n", call, tiled);
  EXPECT_NE(result.find("\tint x = g({1, 2});\n\tconst size_t hone_local[2] = {8, 4};\n"), std::string::npos) << result;
  EXPECT_NE(result.find("\tif (check(clEnqueueNDRangeKernel(q, k, 2, 0, hone_global, hone_local,"), std::string::npos)
      << result;
}

TEST(Launch, GetsABlockWhereItIsTheBodyOfALoop) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL)";
  const auto wanted = shape({"ceil_div(launch.global[0], 4)"}, {"64"});
  EXPECT_EQ(spliced("void f() {\n  for (i = 0; i < 3; i++)  // again\n    " + call + ";\n}\n", call, wanted, 1),
            "void f() {\n  for (i = 0; i < 3; i++) {  // again\n"
            "    const size_t hone_local[1] = {64};\n"
            "    const size_t hone_global[1] = {((n + 3) / 4 + 63) / 64 * 64};\n"
            "    clEnqueueNDRangeKernel(q, k, 1, NULL, hone_global, hone_local, 0, NULL, NULL);\n  }\n}\n");
  EXPECT_EQ(
      spliced("void f() {\n  if (x) " + call + ";\n  else g();\n}\n", call, wanted, 1),
      "void f() {\n  if (x) {\n"
      "      const size_t hone_local[1] = {64};\n"
      "      const size_t hone_global[1] = {((n + 3) / 4 + 63) / 64 * 64};\n"
      "      clEnqueueNDRangeKernel(q, k, 1, NULL, hone_global, hone_local, 0, NULL, NULL);\n  }\n  else g();\n}\n");
}

TEST(Launch, KeepsTheGlobalArrayWhenOnlyLocalsOfOneAreAsked) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &l, 0, NULL, NULL)";
  EXPECT_EQ(
      spliced("{" + call + ";}", call, shape({"launch.global[0]"}, {"1"}), 1),
      "{const size_t hone_local[1] = {1};\nclEnqueueNDRangeKernel(q, k, 1, NULL, &n, hone_local, 0, NULL, NULL);}");
}

TEST(Launch, StaysAsItIsWhenTheGeometryIsKept) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, global, local, 0, 0, 0)";
  EXPECT_EQ(
      spliced(call, call, shape({"launch.global[0]", "launch.global[1]"}, {"launch.local[0]", "launch.local[1]"})),
      call);
}

TEST(Launch, UsesNamesTheFileDoesNotHaveYet) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, global, local, 0, 0, 0)";
  const std::string result = spliced("int hone_local;\nvoid f() { " + call + "; }", call, tiled);
  EXPECT_NE(result.find("hone_local_2[2] = {8, 4}"), std::string::npos) << result;
}

TEST(Launch, OfTheCppWrapperGetsRanges) {
  const std::string call = "queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(w, h), cl::NullRange)";
  EXPECT_EQ(spliced("void f() {\n  " + call + ";\n}\n", call, tiled),
            "void f() {\n"
            "  const cl::NDRange hone_local(8, 4);\n"
            "  const cl::NDRange hone_global((((size_t)(w) + 15) / 16 + 7) / 8 * 8, ((size_t)(h) + 3) / 4 * 4);\n"
            "  queue.enqueueNDRangeKernel(k, cl::NullRange, hone_global, hone_local);\n}\n");
}

TEST(Launch, WithChevronsCountsGroups) {
  const std::string call = "k<<<dim3(gx, gy), block, 0, stream>>>(a, n)";
  EXPECT_EQ(spliced("void f() {\n  " + call + ";\n}\n", call, tiled),
            "void f() {\n"
            "  const dim3 hone_old_grid = dim3(gx, gy), hone_old_block = block;\n"
            "  const dim3 hone_block(8, 4);\n"
            "  const dim3 hone_grid((((hone_old_grid.x * hone_old_block.x) + 15) / 16 + 7) / 8, ((hone_old_grid.y * "
            "hone_old_block.y) + 3) / 4);\n"
            "  k<<<hone_grid, hone_block, 0, stream>>>(a, n);\n}\n");
}

TEST(Launch, WithALaunchingFunctionOfHipChangesItsGridAndBlock) {
  const std::string call = "hipLaunchKernelGGL((k<float, 16>), blocks(n, m), block, 0, stream, a, n)";
  const std::string result = spliced("void f() {\n  " + call + ";\n}\n", call, tiled);
  EXPECT_NE(result.find("const dim3 hone_old_grid = blocks(n, m), hone_old_block = block;"), std::string::npos)
      << result;
  EXPECT_NE(result.find("hipLaunchKernelGGL((k<float, 16>), hone_grid, hone_block, 0, stream, a, n);"),
            std::string::npos)
      << result;
}

TEST(Launch, SizesThatTheCallComputesAreComputedOnceInFrontOfIt) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, next(n), local, 0, 0, 0)";
  EXPECT_EQ(spliced("void f() {\n  check(" + call + ", \"launch\");\n}\n", call, tiled),
            "void f() {\n  const size_t *const hone_old_global = next(n);\n"
            "  const size_t hone_local[2] = {8, 4};\n"
            "  const size_t hone_global[2] = {((hone_old_global[0] + 15) / 16 + 7) / 8 * 8, (hone_old_global[1] + 3) / "
            "4 * 4};\n"
            "  check(clEnqueueNDRangeKernel(q, k, 2, 0, hone_global, hone_local, 0, 0, 0), \"launch\");\n}\n");
  // What is left as it was is the copy; what nobody needs is computed all the same.
  const std::string both = "clEnqueueNDRangeKernel(q, k, 1, 0, next(n), pick(), 0, 0, 0)";
  EXPECT_EQ(spliced("{\n" + both + ";\n}\n", both, shape({"launch.global[0]"}, {"1"}), 1),
            "{\nconst size_t *const hone_old_global = next(n);\nconst size_t *const hone_old_local = pick();\n"
            "const size_t hone_local[1] = {1};\n(void)hone_old_local;\n"
            "clEnqueueNDRangeKernel(q, k, 1, 0, hone_old_global, hone_local, 0, 0, 0);\n}\n");
}

TEST(Launch, RangesThatTheCallMakesAreCopiedOrSaidInPlace) {
  const std::string made = "q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(up(n, 32), up(m, 8)), {32, 8})";
  EXPECT_EQ(
      spliced("{\n" + made + ";\n}\n", made, shape({"launch.global[0]", "launch.global[1]"}, {"launch.local[0]", "4"})),
      "{\nconst cl::NDRange hone_old_global = cl::NDRange(up(n, 32), up(m, 8));\n"
      "const cl::NDRange hone_local((size_t)(32), 4);\n"
      "const cl::NDRange hone_global((hone_old_global[0] + (size_t)(32) - 1) / (size_t)(32) * (size_t)(32), "
      "(hone_old_global[1] + 3) / 4 * 4);\n"
      "q.enqueueNDRangeKernel(k, cl::NullRange, hone_global, hone_local);\n}\n");
  // A local size that the call leaves out is added where there is to be one.
  const std::string left = "q.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n))";
  EXPECT_EQ(spliced("{\n" + left + ";\n}\n", left, shape({"ceil_div(launch.global[0], 4)"}, {"64"}), 1),
            "{\nconst cl::NDRange hone_local(64);\n"
            "const cl::NDRange hone_global((((size_t)(n) + 3) / 4 + 63) / 64 * 64);\n"
            "q.enqueueNDRangeKernel(k, cl::NullRange, hone_global, hone_local);\n}\n");
}

TEST(Launch, OfAFunctorChangesItsEnqueueArgs) {
  const auto halved = shape({"ceil_div(launch.global[0], 2)"}, {"64"});
  const std::string direct = "pass(cl::EnqueueArgs(queue, cl::NDRange(n)), a, b)";
  EXPECT_EQ(spliced("{\n" + direct + ";\n}\n", direct, halved, 1),
            "{\nconst cl::NDRange hone_local(64);\n"
            "const cl::NDRange hone_global((((size_t)(n) + 1) / 2 + 63) / 64 * 64);\n"
            "pass(cl::EnqueueArgs(queue, hone_global, hone_local), a, b);\n}\n");
  // A function of the application's own makes the range: a local size was seen, so no list of events stands in front.
  const std::string own = "pass(cl::EnqueueArgs(queue, padded(n, 64), group), a, b)";
  EXPECT_EQ(spliced("{\n" + own + ";\n}\n", own, halved, 1),
            "{\nconst cl::NDRange hone_old_global = padded(n, 64);\nconst cl::NDRange hone_local(64);\n"
            "const cl::NDRange hone_global(((hone_old_global[0] + 1) / 2 + 63) / 64 * 64);\n"
            "pass(cl::EnqueueArgs(queue, hone_global, hone_local), a, b);\n}\n");
  const std::string args = "const cl::EnqueueArgs range(queue, cl::NDRange(n), cl::NDRange(least(n, 256)));\n";
  const std::string named = "events.push_back(pass(range, a, b))";
  const std::string result = spliced("{\n" + args + "for (;;)\n  " + named + ";\n}\n", "pass(range, a, b)", halved, 1);
  EXPECT_EQ(result,
            "{\nconst cl::NDRange hone_old_local = cl::NDRange(least(n, 256));\nconst cl::NDRange hone_local(64);\n"
            "const cl::NDRange hone_global((((size_t)(n) + 1) / 2 + 63) / 64 * 64);\n(void)hone_old_local;\n"
            "const cl::EnqueueArgs range(queue, hone_global, hone_local);\nfor (;;)\n  " +
                named + ";\n}\n");
  EXPECT_EQ(spliced("{\n" + args + "pass(range, a, b);\nother(range, c);\n}\n", "pass(range, a, b)", halved, 1),
            "E-LAUNCHSITE  host.c:3: line 4 uses range for something else");
}

TEST(Launch, SizesThatMayNotBeComputedFirstAreRefused) {
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, next(), local, 0, 0, 0)";
  const std::string why = "E-LAUNCHSITE  host.c:2: the sizes are computed inside the call, and ";
  for (const auto& [before, mark] : {std::pair<std::string, std::string>{"if (ready && ", "&"},
                                     {"if (refused || ", "|"},
                                     {"x = big ? ", "?"},
                                     {"if (n++ + ", "+"},
                                     {"(step(), ", ","},
                                     {"int a = step(), b = (", ","}})
    EXPECT_EQ(spliced("void f() {\n" + before + call + ")\n;\n}", call, tiled),
              why + "`" + mark + "` before it in the statement may decide whether they are or change them");
  test::Application app;
  app.files["host.cpp"] =
      "void f() {\n clEnqueueNDRangeKernel(q, k, 2, 0, std::array{up(n), m}.data(), l, 0, 0, 0);\n}";
  app.with_launch("k", "host.cpp", "clEnqueueNDRangeKernel(q, k, 2, 0, std::array{up(n), m}.data(), l, 0, 0, 0)",
                  {"n", "m"});
  EXPECT_EQ(
      splice_launches({tiled}, app.origin, app.files).error().text(),
      "E-LAUNCHSITE  host.cpp:2: the sizes are computed inside the call: what `std::array{up(n), m}.data()` points "
      "to may not live until a copy is used");
}

TEST(Launch, IsRefusedWhereItCannotBeFollowed) {
  const std::string plain = "clEnqueueNDRangeKernel(q, k, 2, 0, g, l, 0, 0, 0)";
  EXPECT_EQ(spliced("#define RUN " + plain + "\n", plain, tiled),
            "E-LAUNCHSITE  host.c:1: the launch at line 1 is in a macro");
  EXPECT_EQ(spliced("while (" + plain + ") ;", plain, tiled),
            "E-LAUNCHSITE  host.c:1: the launch at line 1 is in the header of a loop");
  EXPECT_EQ(spliced(plain + ";", plain, shape({"1"}, {"1"}), 1),
            "E-LAUNCHSITE  host.c:1: the launch has 2 dimensions and the winner 1");
  const std::string free_local = "clEnqueueNDRangeKernel(q, k, 1, 0, g, NULL, 0, 0, 0)";
  EXPECT_EQ(spliced(free_local + ";", free_local, shape({"ceil_div(launch.global[0], launch.local[0])"}, {"1"}), 1),
            "E-LAUNCHSITE  host.c:1: launch.local[0] cannot be written at the launch");
}

TEST(Launch, IsRefusedWhenTheSameCallLaunchesAnotherKernel) {
  test::Application app;
  app.files["host.c"] = "void f() { clEnqueueNDRangeKernel(q, k, 2, 0, g, l, 0, 0, 0); }";
  const std::string call = "clEnqueueNDRangeKernel(q, k, 2, 0, g, l, 0, 0, 0)";
  app.with_launch("k", "host.c", call, {"n", "n"}).with_launch("other", "host.c", call, {"n", "n"});
  const auto status = splice_launches({tiled}, app.origin, app.files);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "host.c:1: this call launches other too");
}

}  // namespace
}  // namespace hone::patch
