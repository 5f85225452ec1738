// Macros that a host makes of its sizes, and launches that only let buffers change places.
#include <gtest/gtest.h>

#include <algorithm>

#include "completed.hpp"
#include "core/sized_options.hpp"
#include "core/workload_sizes.hpp"
#include "mep/complete.hpp"
#include "mep/driver_problem.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

Result<Mep> made_of(const Files& application, const std::string& kernel) {
  return test::completed(application, {kernel});
}

/// A host that builds with its own width as PITCH; `bytes` is the size of its buffer.
Files rows_of(const std::string& options, const std::string& bytes) {
  return {{"a.c", R"(
    int main(int argc, char **argv) {
      int width = argc > 1 ? atoi(argv[1]) : 480, height = argc > 2 ? atoi(argv[2]) : 256;
      char flags[99];
      )" + options + R"(
      cl_program p = clCreateProgramWithSource(c, 1, &text, 0, 0);
      clBuildProgram(p, 0, 0, flags, 0, 0);
      cl_kernel k = clCreateKernel(p, "rows", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, )" +
                      bytes + R"(, 0, 0);
      size_t global[2] = {width, height};
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(int), &width);
      clSetKernelArg(k, 2, sizeof(int), &height);
      clEnqueueNDRangeKernel(q, k, 2, NULL, global, NULL, 0, 0, 0);
    })"},
          {"a.cl", R"(
    __kernel void rows(__global float *a, int w, int h) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x < w && y < h) a[y * PITCH + x] *= 2;
    })"}};
}

const std::string kPrinted = R"(snprintf(flags, sizeof flags, "-DPITCH=%d", width);)";

TEST(Defines, AMacroThatTheHostPrintsFromASizeFollowsIt) {
  const auto mep = made_of(rows_of(kPrinted, "width * height * sizeof(float)"), "rows");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  ASSERT_EQ(mep->options, std::vector<std::string>{"-DPITCH={w}"});
  EXPECT_TRUE(builds_differ(mep->options, *mep));
  for (const auto& workload : mep->workloads) {
    const auto width = std::get<std::int64_t>(workload.scalars.at("w"));
    EXPECT_EQ(options_at(mep->options, workload.scalars).at(0), "-DPITCH=" + std::to_string(width));
  }
  EXPECT_NE(mep->workloads[0].scalars.at("w"), mep->workloads[2].scalars.at("w")) << "it may be another size now";
}

TEST(Defines, WhatIsComputedFromASizeIsComputedAgain) {
  const auto mep = made_of(
      rows_of(R"(strcpy(flags, "-DX "); char more[20]; sprintf(more, "-DPITCH=%d", 2 * width); strcat(flags, more);)",
              "2 * width * height * sizeof(float)"),
      "rows");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_TRUE(std::ranges::any_of(mep->options, [](const std::string& o) {
    return o == "-DPITCH={2 * w}" || o == "-DPITCH={w * 2}";
  })) << mep->options.front();
}

TEST(Defines, ANumberThatIsNoSizeStays) {
  const auto mep = made_of(rows_of(R"(snprintf(flags, sizeof flags, "-DPITCH=%d", 480);)", "480 * height * 4"), "rows");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_EQ(mep->options, std::vector<std::string>{"-DPITCH=480"});
}

TEST(Defines, WhereExtentsAreReadFromTheKernelTheSizeStaysAndTheContractSaysSo) {
  const auto mep = made_of(rows_of(kPrinted, "size_from_elsewhere()"), "rows");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_EQ(mep->options, std::vector<std::string>{"-DPITCH=480"});
  for (const auto& workload : mep->workloads) EXPECT_EQ(std::get<std::int64_t>(workload.scalars.at("w")), 480);
  EXPECT_TRUE(std::ranges::any_of(mep->contract, [](const Expression& e) { return e.print() == "w == 480"; }));
  const auto drawn = drawn_workload(*mep, 7);
  ASSERT_TRUE(drawn.has_value()) << "the other size can still be drawn";
  EXPECT_EQ(std::get<std::int64_t>(drawn->scalars.at("w")), 480);
}

TEST(Defines, TheStandaloneProgramIsBuiltForEachWorkload) {
  const auto mep = made_of(rows_of(kPrinted, "width * height * sizeof(float)"), "rows");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto text = problem_text(*mep, {mep->language, mep->source, {}, mep->options}, {});
  ASSERT_TRUE(text.has_value()) << text.error().text();
  for (const auto& workload : mep->workloads) {
    const auto begin = text->find("\nworkload " + std::string(name_of(workload.role)));
    const auto option = "option " + options_at(mep->options, workload.scalars).at(0) + "\n";
    ASSERT_NE(begin, std::string::npos);
    EXPECT_EQ(text->find("\noption ", begin), text->find("\n" + option, begin)) << *text;
  }
}

TEST(Defines, BracesOfCAreLeftAlone) {
  const std::map<std::string, Value> scalars = {{"n", Value(std::int64_t{8})}};
  const std::vector<std::string> options = {"-DINIT={0}", "-DLIST={1,2}", "-DOTHER={m}", "-DN={n + 1}",
                                            "-cl-mad-enable"};
  EXPECT_EQ(options_at(options, scalars),
            (std::vector<std::string>{"-DINIT={0}", "-DLIST={1,2}", "-DOTHER={m}", "-DN=9", "-cl-mad-enable"}));
}

TEST(Launches, StepsInTimeAreMadeOnceAroundTheirBuffers) {
  std::string steps;
  for (int i = 0; i < 12; ++i)
    steps += "clSetKernelArg(k, 0, sizeof(cl_mem), &f" + std::to_string(i % 3) +
             "); clSetKernelArg(k, 1, sizeof(cl_mem), &f" + std::to_string((i + 1) % 3) +
             "); clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);\n";
  const auto mep = made_of({{"a.c", R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "step", 0);
      cl_mem f0 = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      cl_mem f1 = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      cl_mem f2 = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      size_t global = n;
      )" + steps + "}"},
                            {"a.cl", R"(
    __kernel void step(__global const float *from, __global float *to) {
      int i = get_global_id(0);
      to[i] = 0.5f * from[i];
    })"}},
                           "step");
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_EQ(mep->workloads.front().launches.size(), 4U);
}

}  // namespace
}  // namespace hone::mep
