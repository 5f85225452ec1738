// A launch is changed only where it is shown that nothing but this kernel passes there, in the whole tree.
#include "patch/limits.hpp"

#include <gtest/gtest.h>

#include "application.hpp"
#include "base/text.hpp"
#include "patch/patch.hpp"

namespace hone::patch {
namespace {

const std::string k_text = "__kernel void k(__global float *a)\n{\n  a[get_global_id(0)] = 1;\n}";
const std::string enqueue = "clEnqueueNDRangeKernel(q, kernel, 1, NULL, &global, &local, 0, NULL, NULL)";

/// A tree with k.cl and these host files; `call` is where extraction saw k launched.
test::Application tree(Files host, const std::string& file, const std::string& call = enqueue) {
  test::Application app;
  app.files = std::move(host);
  app.files["k.cl"] = k_text + "\n";
  app.with_kernel("k", "k.cl", Embedding::File, k_text, k_text).with_launch("k", file, call, {"n"});
  return app.stamped();
}

KernelLimit limit_of(const test::Application& app) {
  auto limits = limits_of(app.mep, app.origin, app.files);
  EXPECT_TRUE(limits) << (limits ? "" : limits.error().text());
  return limits ? limits->kernels.front() : KernelLimit{};
}

/// "sizes" or the reason with its place.
std::string answer(const test::Application& app) {
  const auto limit = limit_of(app);
  return limit.tier == LaunchTier::Sizes ? "sizes" : limit.place + ": " + limit.reason;
}

std::string body(const std::string& inside) { return "int main(void)\n{\n" + inside + "}\n"; }
std::string made(const std::string& variable, const std::string& kernel) {
  return "  cl_kernel " + variable + " = clCreateKernel(program, \"" + kernel + "\", &status);\n";
}

Variant with_other_sizes() {
  Variant out{Language::OpenCL, k_text + "\n\n", {}, {}};
  out.launches = {{"k", {*Expression::parse("ceil_div(launch.global[0], 4)")}, {*Expression::parse("64")}}};
  return out;
}

TEST(PatchLimits, ALaunchOfOneKernelMayChange) {
  const auto app =
      tree({{"main.c", body(made("kernel", "k") + made("other", "other") + "  run(other);\n  " + enqueue + ";\n")}},
           "main.c");
  EXPECT_EQ(answer(app), "sizes");
  const auto limits = limits_of(app.mep, app.origin, app.files);
  EXPECT_TRUE(allows(*limits, with_other_sizes()));
  EXPECT_TRUE(make_patch(app.mep, with_other_sizes(), app.origin, app.files, *limits));
}

TEST(PatchLimits, ATextThatTheHostWouldReadInPartIsNotTried) {
  const std::string reads = "  char text[4000];\n  fread(text, 1, sizeof(text), file);\n";
  const auto app = tree({{"main.c", body(reads + made("kernel", "k") + "  " + enqueue + ";\n")}}, "main.c");
  const auto limits = limits_of(app.mep, app.origin, app.files);
  ASSERT_TRUE(limits);
  EXPECT_TRUE(allows(*limits, with_other_sizes()));
  auto longer = with_other_sizes();
  longer.source.insert(longer.source.find("  a["), std::string(4000, ' '));
  const auto refused = allows(*limits, longer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), "E-ROOM");
  EXPECT_NE(refused.error().text().find("main.c:4 reads at most 4000 bytes of k.cl"), std::string::npos)
      << refused.error().text();
}

/// `before` stands outside of main, `inside` in it before the launch.
bool has_fixed_groups(const std::string& before, const std::string& inside, const std::string& call = enqueue) {
  return limit_of(tree({{"main.c", before + body(made("kernel", "k") + inside + "  " + call + ";\n")}}, "main.c", call))
      .fixed_local;
}

TEST(PatchLimits, GroupsAreFixedWhereEveryRunOfTheApplicationHasThem) {
  EXPECT_TRUE(has_fixed_groups("", "  const size_t local = 64;\n"));
  EXPECT_TRUE(has_fixed_groups("#define GROUP (2 * 64)\n", "  size_t local = GROUP;\n"));
  EXPECT_TRUE(has_fixed_groups("static const int kGroup = 64;\n", "  size_t local = kGroup;\n"));
  EXPECT_TRUE(has_fixed_groups("#define GROUP 64\n", "  size_t local;\n  local = GROUP;\n"));
  EXPECT_TRUE(has_fixed_groups("enum { GROUP = 64 };\n", "  size_t local = (size_t)GROUP;\n"));
  EXPECT_TRUE(has_fixed_groups("", "  const size_t side = 8, local[2] = {side, 8};\n",
                               "clEnqueueNDRangeKernel(q, kernel, 1, NULL, global, local, 0, NULL, NULL)"));
}

TEST(PatchLimits, GroupsAreNotFixedWhereTheyFollowSomething) {
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = atoi(argv[1]);\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = 64;\n  if (n < 64) local = n;\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = 64;\n  while (n % local) local /= 2;\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = 64;\n  choose(kernel, &local);\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = plan.items;\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local;\n  local = 64;\n  if (n < 64) local = 32;\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local;\n  ask(&local);\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local[1] = {64};\n  choose(device, local);\n",
                                "clEnqueueNDRangeKernel(q, kernel, 1, NULL, global, local, 0, NULL, NULL)"));
  EXPECT_FALSE(has_fixed_groups("#ifdef SMALL\n#define GROUP 24\n#else\n#define GROUP 64\n#endif\n",
                                "  size_t local = GROUP;\n"));
  EXPECT_FALSE(has_fixed_groups("", "  size_t local = n < 64 ? 32 : 64;\n"));
  EXPECT_FALSE(has_fixed_groups("", ""));
}

TEST(PatchLimits, GroupsThatCallersGiveAreFixedWhereAllCallersDo) {
  const auto through = [](const std::string& calls) {
    const std::string helper = "static void go(cl_command_queue q, size_t global, size_t local)\n{\n" +
                               made("kernel", "k") + "  " + enqueue + ";\n}\n";
    return limit_of(tree({{"main.c", helper + body(calls)}}, "main.c")).fixed_local;
  };
  EXPECT_TRUE(through("  go(q, n, 64);\n  go(q, m, 64);\n"));
  EXPECT_FALSE(through("  go(q, n, 64);\n  if (odd) go(q, m, 24);\n")) << "that launch may never have been followed";
  EXPECT_FALSE(through("  go(q, n, 64);\n  go(q, m, m);\n"));
  EXPECT_FALSE(through(""));
}

TEST(PatchLimits, AHelperThatAlsoLaunchesAnotherKernelStays) {
  const std::string helper =
      "static void launch(cl_command_queue q, cl_kernel kernel, size_t global, size_t local)\n{\n  " + enqueue +
      ";\n}\n";
  const auto app = tree({{"main.c", helper + body(made("a", "k") + made("b", "other") +
                                                  "  launch(q, a, 64, 8);\n  launch(q, b, 1, 1);\n")}},
                        "main.c");
  EXPECT_EQ(answer(app), "main.c:3: this call launches other too");
  const auto limits = limits_of(app.mep, app.origin, app.files);
  EXPECT_FALSE(limits->may_change_launch("k"));
  const auto mapped = make_patch(app.mep, with_other_sizes(), app.origin, app.files, *limits);
  ASSERT_TRUE(mapped) << mapped.error().message();
  EXPECT_EQ(mapped->tiers.at("k"), LaunchTier::Kept);
  EXPECT_NE(mapped->diff.find("get_global_id(0) >= (get_global_size(0) + 3) / 4"), std::string::npos);
  Variant more = with_other_sizes();
  more.launches[0].global = {*Expression::parse("launch.global[0] * 4")};
  const auto refused = make_patch(app.mep, more, app.origin, app.files, *limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), "E-LAUNCHSITE");
  EXPECT_NE(refused.error().message().find("other too"), std::string::npos);
  // The kernel's text alone still goes back.
  Variant kept = with_other_sizes();
  kept.launches.clear();
  EXPECT_TRUE(make_patch(app.mep, kept, app.origin, app.files, *limits));
  // With one kernel the same helper may change.
  const auto alone =
      tree({{"main.c", helper + body(made("a", "k") + "  launch(q, a, 64, 8);\n  launch(q, a, 1, 1);\n")}}, "main.c");
  EXPECT_EQ(answer(alone), "sizes");
}

TEST(PatchLimits, AHelperInAHeaderCountsTheCallersOfEveryProgramOfTheTree) {
  const std::string helper =
      "static void launch(cl_kernel kernel, size_t global, size_t local)\n{\n  " + enqueue + ";\n}\n";
  Files host = {{"common/host.h", helper},
                {"a/main.c", "#include \"../common/host.h\"\n" + body(made("one", "k") + "  launch(one, 64, 8);\n")}};
  EXPECT_EQ(answer(tree(host, "common/host.h")), "sizes");
  host["b/main.c"] = "#include \"../common/host.h\"\n" + body(made("two", "other") + "  launch(two, 64, 8);\n");
  EXPECT_EQ(answer(tree(host, "common/host.h")), "common/host.h:3: this call launches other too");
}

TEST(PatchLimits, AHelperThatThisProgramHasNoUseForLaunchesNothing) {
  const std::string unused = "void launch_1d(cl_kernel kernel, size_t global)\n{\n  " + enqueue + ";\n}\n";
  const std::string program = "#include \"host.h\"\n" + body(made("kernel", "k") + "  " + enqueue + ";\n");
  EXPECT_EQ(answer(tree({{"host.h", "static inline " + unused}, {"main.c", program}}, "main.c")), "sizes");
  // One that others may call is another matter.
  EXPECT_NE(answer(tree({{"host.c", unused}, {"main.c", program}}, "main.c")).find("nobody calls launch_1d"),
            std::string::npos);
}

TEST(PatchLimits, ProgramsWithFunctionsOfTheirOwnDoNotMeet) {
  const std::string helper = "void launch(cl_kernel kernel, size_t global, size_t local)\n{\n  " + enqueue + ";\n}\n";
  const auto app = tree({{"a/main.c", helper + body(made("one", "k") + "  launch(one, 64, 8);\n")},
                         {"b/main.c", helper + body(made("two", "other") + "  launch(two, 64, 8);\n")}},
                        "a/main.c");
  EXPECT_EQ(answer(app), "sizes");
}

TEST(PatchLimits, AFunctionTemplateIsFollowedToItsCallersOrStays) {
  const std::string helper =
      "template <typename... A>\nvoid launch(cl_kernel kernel, size_t global, size_t local, A... a)\n{\n  " + enqueue +
      ";\n}\n";
  EXPECT_EQ(answer(tree({{"main.cpp", helper + body(made("one", "k") + made("two", "other") +
                                                    "  launch(one, 64, 8, 1);\n  launch(two, 64, 8);\n")}},
                        "main.cpp")),
            "main.cpp:4: this call launches other too");
  EXPECT_EQ(
      answer(tree({{"main.cpp", helper + body(made("one", "k") + "  launch<int>(one, 64, 8, 1);\n")}}, "main.cpp")),
      "main.cpp:4: it could not be shown that only this kernel is launched here (main.cpp:9: launch is used other "
      "than by a call)");
}

TEST(PatchLimits, KernelsOfTheSameNameKeepTheirLaunches) {
  auto app =
      tree({{"a/main.c", body(made("kernel", "k") + "  " + enqueue + ";\n")},
            {"b/main.c", "const char *text = \"__kernel void k(__global int *b)\\n\"\n  \"{ b[0] = 1; }\\n\";\n"}},
           "a/main.c");
  // No adapter either: without its includes the file does not know OpenCL's types.
  EXPECT_EQ(answer(app), "b/main.c:1, k.cl:1: 2 kernels are called k; a/main.c:4: the file includes nothing");
}

TEST(PatchLimits, ALaunchThatWasNotSeenKeepsTheOthers) {
  const std::string seen = body(made("kernel", "k") + "  " + enqueue + ";\n");
  EXPECT_EQ(answer(tree({{"main.c", seen},
                         {"more.c", "void again(void)\n{\n" + made("x", "k") +
                                        "  clEnqueueNDRangeKernel(q, x, 1, 0, g, l, 0, 0, 0);\n}\n"}},
                        "main.c")),
            "more.c:4: it is launched here too, with sizes that were not followed");
  EXPECT_EQ(
      answer(tree({{"main.c", seen}, {"more.h", "#define RUN(x) clEnqueueNDRangeKernel(q, x, 1, 0, g, l, 0, 0, 0)\n"}},
                  "main.c")),
      "more.h:1: it could not be shown that this kernel is not launched here (a macro launches here)");
  EXPECT_EQ(
      answer(tree({{"main.c", seen}, {"more.cpp", "void f() { cl::KernelFunctor<int> g(p, \"k\"); }\n"}}, "main.c")),
      "more.cpp:1: it is launched here too, with sizes that were not followed");
  EXPECT_EQ(answer(tree({{"main.c", seen}, {"more.cpp", "void f() { cl::KernelFunctor<int> g(p, \"other\"); }\n"}},
                        "main.c")),
            "sizes");
}

TEST(PatchLimits, ALaunchThatCannotBeFollowedIsOfAKernelThatItsOwnProgramMakes) {
  const auto beside = [](Files more) {
    more["main.c"] = body(made("kernel", "k") + "  " + enqueue + ";\n");
    return answer(tree(std::move(more), "main.c"));
  };
  const std::string held = "  struct job j = {q, x};\n  clEnqueueNDRangeKernel(q, j.kernel, 1, 0, g, l, 0, 0, 0);\n";
  const std::string another = body(made("x", "other") + held);
  EXPECT_EQ(beside({{"else/main.c", another}}), "sizes");
  EXPECT_NE(beside({{"else/main.c", body(made("x", "k") + held)}}), "sizes") << "it makes a kernel of that name";
  EXPECT_NE(beside({{"else/main.c", body("  cl_kernel x = clCreateKernel(p, names[i], 0);\n" + held)}}), "sizes");
  EXPECT_NE(beside({{"else/main.c", body("  cl_kernel x = pick();\n" + held)}}), "sizes") << "it makes none itself";
  EXPECT_NE(beside({{"else/main.c", body("  cl_kernel x = take();\n" + made("y", "other") + held)},
                    {"lib/take.c", "cl_kernel take(void)\n{\n" + made("x", "k") + "  return x;\n}\n"}}),
            "sizes")
      << "a function of another file makes it";
  EXPECT_NE(beside({{"else/main.c", "#include \"jobs.h\"\n" + another},
                    {"jobs.h", "struct job { cl_command_queue q; cl_kernel kernel; };\n"},
                    {"else/more.c", "#include \"jobs.h\"\nvoid more(void)\n{\n" + made("x", "k") + "}\n"}}),
            "sizes")
      << "a file that shares a header may be of the same program";
  const Files named = {
      {"lib/context.h", "cl_context context(void);\n"},
      {"lib/context.c", "#include \"context.h\"\ncl_context context(void)\n{\n" + made("x", "k") + "}\n"}};
  const auto with = [&](const std::string& main) {
    auto files = named;
    files["else/main.c"] = main;
    return beside(files);
  };
  EXPECT_EQ(with(body("  cl_context context = first();\n  use(context);\n" + made("x", "other") + held)), "sizes")
      << "a variable is no call of a function elsewhere";
  EXPECT_NE(with("void f(void)\n{\n  cl_context context = first();\n}\n" +
                 body("  use(context());\n" + made("x", "other") + held)),
            "sizes")
      << "a variable of another function hides nothing here";
}

TEST(PatchLimits, AListOfNamesIsEachOfThem) {
  const auto with = [](const std::string& names, const std::string& more = "") {
    return answer(tree({{"main.c", "static const char *names[] = {" + names + "};\n" +
                                       body("  cl_kernel kernel = clCreateKernel(program, names[i], &status);\n" +
                                            more + "  " + enqueue + ";\n")}},
                       "main.c"));
  };
  EXPECT_EQ(with("\"k\""), "sizes");
  EXPECT_EQ(with("\"k\", \"other\""), "main.c:5: this call launches other too");
  EXPECT_NE(with("\"k\"", "  names[0] = pick();\n"), "sizes");
  EXPECT_NE(with("\"k\"", "  change(names);\n"), "sizes");
  EXPECT_NE(with("\"k\", OTHER"), "sizes");
}

TEST(PatchLimits, WhatCannotBeFollowedIsNotGuessed) {
  const auto with = [](const std::string& before) {
    return answer(tree({{"main.c", body(before + "  " + enqueue + ";\n")}}, "main.c"));
  };
  for (const std::string before :
       {"  cl_kernel kernel = clCreateKernel(program, names[i], &status);\n", "  cl_kernel kernel;\n  pick(&kernel);\n",
        "  cl_kernel kernel = cache_get(\"k\");\n", "  cl_kernel kernel = *kernels;\n",
        "  cl_kernel kernel[3];\n  clCreateKernelsInProgram(program, 3, kernel, 0);\n"})
    EXPECT_NE(with(before).find("it could not be shown that only this kernel is launched here"), std::string::npos)
        << before << with(before);
  EXPECT_NE(with(made("kernel", "k") + "  cl_kernel &other = kernel;\n  other = pick();\n"), "sizes");
  EXPECT_EQ(with(made("kernel", "k") + "  if (kernel && ready)\n    wait();\n"), "sizes");
  EXPECT_EQ(with(made("kernel", "k") + "  if (fast)\n    kernel = clCreateKernel(program, \"other\", 0);\n"),
            "main.c:6: this call launches other too");
}

TEST(PatchLimits, MembersMakersAndChoicesAreFollowed) {
  const std::string maker =
      "cl_kernel make(cl_program p, const char *name)\n{\n  cl_kernel made = clCreateKernel(p, name, 0);\n"
      "  return made;\n}\n";
  const std::string call = "clEnqueueNDRangeKernel(q, s->kernel, 1, NULL, &global, &local, 0, NULL, NULL)";
  const std::string run = "void run(struct state *s)\n{\n  " + call + ";\n}\n";
  EXPECT_EQ(
      answer(tree({{"main.c", maker + run + body("  s->kernel = make(p, \"k\");\n  s->other = make(p, \"other\");\n")}},
                  "main.c", call)),
      "sizes");
  EXPECT_EQ(answer(tree({{"main.c", maker + run + body("  s->kernel = wide ? make(p, \"k\") : make(p, \"other\");\n")}},
                        "main.c", call)),
            "main.c:8: this call launches other too");
  EXPECT_NE(answer(tree({{"main.c", run + body(made("x", "other") + "  s->kernel = clCreateKernel(p, \"k\", 0);\n"
                                                                    "  struct state t = {q, x};\n")}},
                        "main.c", call)),
            "sizes");
  EXPECT_NE(answer(tree({{"main.c", run + body("  s->kernel = clCreateKernel(p, \"k\", 0);\n  cl_kernel *slot = "
                                               "&s->kernel;\n  *slot = pick();\n")}},
                        "main.c", call)),
            "sizes");
  const std::string member = "queue.enqueueNDRangeKernel(blur_, cl::NullRange, cl::NDRange(n), cl::NullRange)";
  EXPECT_EQ(
      answer(tree({{"main.cpp",
                    "struct Blur {\n  Blur(cl::Program p) : blur_(p, \"k\"), rest_(p, \"other\") {}\n  void run() "
                    "{\n    " +
                        member + ";\n  }\n  cl::Kernel blur_, rest_;\n};\n"}},
                  "main.cpp", member)),
      "sizes");
}

TEST(PatchLimits, BracesThatHoldDevicesOrBuffersHoldNoKernel) {
  const std::string call = "queue.enqueueNDRangeKernel(s->blur, cl::NullRange, cl::NDRange(n), cl::NullRange)";
  const auto with = [&](const std::string& more) {
    return answer(tree({{"main.cpp", "void run(State *s)\n{\n  " + call + ";\n}\nvoid make(State *s)\n{\n" +
                                         "  s->blur = cl::Kernel(program, \"k\");\n" + more + "}\n"}},
                       "main.cpp", call));
  };
  EXPECT_EQ(with("  auto device = first();\n  program.build({device});\n"), "sizes");
  EXPECT_EQ(with("  cl::Buffer in(context, 0, n), out(context, 0, n);\n  swap_all({in, out});\n"), "sizes");
  EXPECT_NE(with("  cl::Kernel other(program, \"other\");\n  use({other});\n"), "sizes");
}

TEST(PatchLimits, VariablesDeclaredInOneStatementAreNoListOfKernels) {
  const std::string call = "clEnqueueNDRangeKernel(cl.queue, cl.k[0], 1, NULL, &global, NULL, 0, NULL, NULL)";
  const std::string state = "static struct { cl_command_queue queue; cl_kernel k[2]; } cl;\n";
  const std::string inside =
      "  int r, k, h;\n  size_t global = 64;\n  cl.k[0] = clCreateKernel(program, \"k\", &status);\n  " + call + ";\n";
  EXPECT_EQ(answer(tree({{"main.c", state + body(inside)}}, "main.c", call)), "sizes");
}

TEST(PatchLimits, ALaunchWhoseSizesCannotBeWrittenStays) {
  const std::string call = "clEnqueueNDRangeKernel(q, kernel, 1, NULL, next_size(), NULL, 0, NULL, NULL)";
  EXPECT_EQ(answer(tree({{"main.c", body(made("kernel", "k") + "  " + call + ";\n")}}, "main.c", call)), "sizes");
  EXPECT_EQ(
      answer(tree({{"main.c", body(made("kernel", "k") + "  if (ready && " + call + ") stop();\n")}}, "main.c", call)),
      "main.c:4: the sizes are computed inside the call, and `&` before it in the statement may decide whether "
      "they are or change them");
}

TEST(PatchLimits, AFunctorIsLaunchedWhereItIsCalled) {
  const std::string call = "pass(cl::EnqueueArgs(queue, cl::NDRange(n)), a)";
  const std::string made = "  cl::KernelFunctor<cl::Buffer> pass(program, \"k\");\n";
  const auto with = [&](const std::string& text) {
    return answer(tree({{"main.cpp", "void f() {\n" + text + "}\n"}}, "main.cpp", call));
  };
  EXPECT_EQ(with(made + "  for (;;) " + call + ";\n"), "sizes");
  EXPECT_EQ(with("  auto pass = cl::make_kernel<cl::Buffer>(program, \"k\");\n  " + call + ";\n"), "sizes");
  const std::string refused = "main.cpp:2: it is launched here too, with sizes that were not followed";
  EXPECT_EQ(with(made + "  " + call + ";\n  keep(pass);\n"), refused);
  EXPECT_EQ(with(made + "  " + call + ";\n  { cl::KernelFunctor<int> pass(program, \"other\"); pass(args, 1); }\n"),
            refused);
  EXPECT_EQ(with(made + "  pass(more(), a);\n  " + call + ";\n"),
            "main.cpp:3: it is launched here too, with sizes that were not followed");
}

TEST(PatchLimits, AFunctorOfAClassIsLaunchedWhereItsMethodsCallIt) {
  const std::string call = "pass_(cl::EnqueueArgs(queue_, cl::NDRange(n)), a)";
  const auto with = [&](const std::string& type, const std::string& made, const std::string& more = "") {
    const std::string text = "#include <CL/opencl.hpp>\nclass Filter {\n " + type +
                             " pass_;\n cl::CommandQueue queue_;\n public:\n  Filter(const cl::Program &p) : " + made +
                             " {}\n  void run(cl::Buffer a, int n) {\n    " + call + ";\n" + more + "  }\n};\n";
    return answer(tree({{"main.cpp", text}}, "main.cpp", call));
  };
  const std::string one = "pass_(p, \"k\")";
  EXPECT_EQ(with("using F = cl::KernelFunctor<cl::Buffer>;\n F", one), "sizes");
  EXPECT_EQ(with("typedef cl::make_kernel<cl::Buffer> F;\n F", one), "sizes");
  EXPECT_EQ(with("cl::KernelFunctor<cl::Buffer>", one), "sizes");
  EXPECT_NE(with("cl::KernelFunctor<cl::Buffer>", one, "    keep(pass_);\n"), "sizes");
  EXPECT_NE(with("cl::KernelFunctor<cl::Buffer>", one, "    pass_ = other();\n"), "sizes");
  EXPECT_NE(with("cl::KernelFunctor<cl::Buffer>", one, "    pass_ = cl::KernelFunctor<cl::Buffer>(p, \"other\");\n"),
            "sizes");
  EXPECT_NE(with("cl::KernelFunctor<cl::Buffer>", "pass_(make(p))"), "sizes");
}

TEST(PatchLimits, OfTheExamplesLeaveTheirLaunchesFree) {
  for (const auto& app : {test::matmul_example(), test::filter_example(), test::dotproduct_example()})
    EXPECT_EQ(answer(app), "sizes");
}

TEST(PatchLimits, WithoutAnApplicationNothingIsLimited) {
  EXPECT_TRUE(allows({}, with_other_sizes()));
  EXPECT_TRUE(PatchLimits{}.may_change_launch("anything"));
}

TEST(PatchLimits, OptionsAndDimensionsOfTheApplicationAreKept) {
  const auto app = tree({{"main.c", body(made("kernel", "k") + "  " + enqueue + ";\n")}}, "main.c");
  const auto limits = limits_of(app.mep, app.origin, app.files);
  auto variant = with_other_sizes();
  variant.options = {"-cl-fast-relaxed-math"};
  EXPECT_EQ(allows(*limits, variant).error().code(), "E-OPTIONS");
  variant = with_other_sizes();
  variant.launches[0].global.push_back(*Expression::parse("1"));
  EXPECT_EQ(allows(*limits, variant).error().code(), "E-LAUNCHSITE");
  variant = with_other_sizes();
  variant.launches[0].global[0] = *Expression::parse("launch.global[0] / 3");
  EXPECT_EQ(allows(*limits, variant).error().code(), "E-LAUNCHSITE");
}

/// A program with OpenCL's header, whose helper launches k and another kernel.
test::Application with_shared_helper(const std::string& extra = "") {
  const std::string helper =
      "static cl_int launch(cl_command_queue q, cl_kernel kernel, size_t global, size_t local)\n{\n    return " +
      enqueue + ";\n}\n";
  return tree(
      {{"common/host.h",
        "#ifndef HOST_H\n#define HOST_H\n#define CL_TARGET_OPENCL_VERSION 120\n#include "
        "<CL/cl.h>\n#ifdef WIDE\n#include <wchar.h>\n#endif\n" +
            extra + helper + "#endif\n"},
       {"main.c",
        "#include \"common/host.h\"\nint main(void)\n{\n    cl_command_queue q = 0;\n    cl_program program = "
        "0;\n    cl_int status;\n  " +
            made("a", "k") + "  " + made("b", "other") + "    return launch(q, a, 64, 8) + launch(q, b, 1, 1);\n}\n"}},
      "common/host.h");
}

TEST(LaunchAdapter, GivesItsSizesToOneKernelOfASharedCall) {
  const auto app = with_shared_helper();
  const auto limits = limits_of(app.mep, app.origin, app.files);
  ASSERT_TRUE(limits) << limits.error().text();
  EXPECT_EQ(limits->kernels[0].tier, LaunchTier::Adapter) << limits->kernels[0].reason;
  const auto patch = make_patch(app.mep, with_other_sizes(), app.origin, app.files, *limits);
  ASSERT_TRUE(patch) << patch.error().text();
  const auto& host = patch->after.at("common/host.h");
  EXPECT_NE(host.find("#endif\n#include \"hone_launch.h\"\nstatic cl_int launch"), std::string::npos) << host;
  EXPECT_NE(host.find("return hone_enqueue(q, kernel, 1, NULL, &global, &local,"), std::string::npos) << host;
  EXPECT_NE(patch->after.at("k.cl").find("__kernel void hone_marks_k(void)"), std::string::npos);
  const auto& header = patch->after.at("common/hone_launch.h");
  EXPECT_NE(header.find("const size_t new_global[1] = {((global[0] + 3) / 4 + 63) / 64 * 64};"), std::string::npos)
      << header;
  const auto applied = apply_patch(*patch, app.files);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->count("common/hone_launch.h"), 1U);
  EXPECT_FALSE(apply_patch(*patch, *applied)) << "it is there already";
}

TEST(LaunchAdapter, IsCAndCppThatCompilesWithoutAWarning) {
  const auto app = with_shared_helper();
  const auto limits = limits_of(app.mep, app.origin, app.files);
  const auto patch = make_patch(app.mep, with_other_sizes(), app.origin, app.files, *limits);
  ASSERT_TRUE(patch) << patch.error().text();
  Files flat;
  const auto applied = apply_patch(*patch, app.files);
  ASSERT_TRUE(applied) << applied.error().text();
  for (const auto& [name, text] : *applied)
    flat[name.substr(name.find_last_of('/') + 1)] = replace_all(text, "common/", "");
  for (const std::string compiler : {"cc -std=c99", "c++ -std=c++11 -x c++"})
    EXPECT_FALSE(test::after_command(flat, "", compiler + " -Wall -Wextra -Werror -fsyntax-only main.c").empty())
        << compiler;
}

/// A class whose method launches every kernel it is given, through the C++ bindings; `queue` is how it says its queue.
test::Application with_engine(const std::string& queue, const std::string& more = "") {
  const std::string call = queue + "enqueueNDRangeKernel(kernel, cl::NullRange, global, local, nullptr, &done)";
  return tree({{"engine.hpp",
                "#pragma once\n#define CL_HPP_TARGET_OPENCL_VERSION 120\n#define CL_HPP_MINIMUM_OPENCL_VERSION 120\n"
                "#include <CL/opencl.hpp>\n#include <map>\n#include <memory>\n#include <string>\n"
                "struct Engine {\n  std::map<std::string, cl::Kernel> kernels;\n"
                "  void run(const std::string &name, cl::NDRange global, cl::NDRange local);\n"
                "  cl::CommandQueue &queue();\n  cl::CommandQueue first, list[2];\n"
                "  std::unique_ptr<cl::CommandQueue> owned;\n};\n" +
                    more},
               {"engine.cpp",
                "#include \"engine.hpp\"\nvoid Engine::run(const std::string &name, cl::NDRange global, cl::NDRange "
                "local)\n{\n  cl::Kernel &kernel = kernels[name];\n  cl::Event done;\n  cl_int status = CL_SUCCESS;\n"
                "  if (global.dimensions() == 1)\n    status = " +
                    call + ";\n  if (status == CL_SUCCESS)\n    done.wait();\n}\n"}},
              "engine.cpp", call);
}

TEST(LaunchAdapter, StandsForTheMethodOfTheBindings) {
  for (const auto& [queue, handed_on] : {std::pair("first.", "first"),
                                         {"queue().", "queue()"},
                                         {"this->list[1].", "this->list[1]"},
                                         {"owned->", "*owned"},
                                         {"(*owned).", "(*owned)"}}) {
    const auto app = with_engine(queue);
    const auto limits = limits_of(app.mep, app.origin, app.files);
    ASSERT_TRUE(limits) << limits.error().text();
    EXPECT_EQ(limits->kernels[0].tier, LaunchTier::Adapter) << limits->kernels[0].reason;
    const auto patch = make_patch(app.mep, with_other_sizes(), app.origin, app.files, *limits);
    ASSERT_TRUE(patch) << patch.error().text();
    const auto& host = patch->after.at("engine.cpp");
    EXPECT_NE(host.find("#include \"engine.hpp\"\n#include \"hone_launch.h\"\n"), std::string::npos) << host;
    EXPECT_NE(host.find("status = hone_enqueue_range(" + std::string(handed_on) + ", kernel, cl::NullRange, global,"),
              std::string::npos)
        << host;
    EXPECT_NE(
        patch->after.at("hone_launch.h").find("cl::NDRange(((global[0] + 3) / 4 + 63) / 64 * 64), cl::NDRange(64)"),
        std::string::npos);
    const auto applied = apply_patch(*patch, app.files);
    ASSERT_TRUE(applied) << applied.error().text();
    const auto compiled = test::after_command(
        *applied, "", "c++ -std=c++17 -DCL_TARGET_OPENCL_VERSION=120 -Wall -Wextra -Werror -fsyntax-only engine.cpp");
    EXPECT_FALSE(compiled.empty()) << host;
  }
}

TEST(LaunchAdapter, IsNotUsedWhereAMethodOfThatNameIsTheApplicationsOwn) {
  const auto own = with_engine("first.", "struct Queue { int enqueueNDRangeKernel(int kernel, int size); };\n");
  EXPECT_EQ(limit_of(own).tier, LaunchTier::Kept);
}

TEST(LaunchAdapter, IsNotUsedWhereAMacroOrAnUnseenCallMayLaunchTheKernel) {
  EXPECT_EQ(limit_of(with_shared_helper("#define RUN(x) clEnqueueNDRangeKernel(q, x, 1, 0, g, l, 0, 0, 0)\n")).tier,
            LaunchTier::Kept);
  EXPECT_EQ(
      limit_of(with_shared_helper("static void all(cl_program p) { clCreateKernelsInProgram(p, 0, 0, 0); }\n")).tier,
      LaunchTier::Kept);
}

TEST(LaunchAdapter, TellsKernelsOfOneNameApart) {
  auto app = with_shared_helper();
  app.files["more.cl"] = "__kernel void k(__global int *b)\n{\n  b[0] = 1;\n}\n";
  EXPECT_EQ(limit_of(app).tier, LaunchTier::Adapter);
}

}  // namespace
}  // namespace hone::patch
