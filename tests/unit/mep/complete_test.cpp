#include "mep/complete.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "completed.hpp"
#include "core/format.hpp"
#include "core/launches.hpp"
#include "core/provenance_text.hpp"
#include "core/workload_sizes.hpp"
#include "mep/contents.hpp"
#include "mep/driver_problem.hpp"
#include "os/files.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

using test::completed;

Files example(const std::string& name) {
  const auto files = os::read_folder(std::string(HONE_SOURCE_DIR) + "/examples/" + name);
  return files ? *files : Files{};
}

const BufferSpec* buffer(const Mep& mep, const std::string& name) {
  const auto found = std::ranges::find(mep.buffers, name, &BufferSpec::name);
  return found == mep.buffers.end() ? nullptr : &*found;
}

TEST(Complete, TheMatrixProductKeepsItsHostsGeometry) {
  const auto mep = completed(example("matmul"), {"matmul"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_TRUE(mep->contract.empty());
  ASSERT_EQ(mep->workloads.size(), 3U);
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.global.at(0).print(), "(columns + 15) // 16 * 16");
  EXPECT_EQ(launch.local.at(1).print(), "16");
  EXPECT_EQ(buffer(*mep, "b_buffer")->extent.print(), "columns * inner");
  EXPECT_EQ(mep->kernels[0].arguments[2].access, Access::Write);
  EXPECT_EQ(std::get<std::int64_t>(mep->workloads[0].scalars.at("inner")), 512);
}

TEST(Complete, EveryWorkloadOfTheExamplesCanBeMadeConcrete) {
  for (const auto& [folder, kernel] :
       std::map<std::string, std::string>{{"matmul", "matmul"}, {"filter", "blur"}, {"dotproduct", "dot_partial"}}) {
    const auto mep = completed(example(folder), {kernel});
    ASSERT_TRUE(mep.has_value()) << mep.error().text();
    for (const auto& workload : mep->workloads) {
      const auto problem = concretise(*mep, workload, {}, {}, 1);
      ASSERT_TRUE(problem.has_value()) << problem.error().text();
      EXPECT_FALSE(problem->outputs.empty());
    }
    EXPECT_NE(mep->workloads[0].scalars, mep->workloads[1].scalars);
    EXPECT_NE(mep->workloads[1].scalars, mep->workloads[2].scalars);
  }
}

TEST(Complete, LocalMemoryOfTheHostIsCountedInElements) {
  const auto mep = completed(example("dotproduct"), {"dot_partial"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.arguments.at("scratch").value.print(), "256");
  EXPECT_EQ(buffer(*mep, "partial_buffer")->extent.print(), "(length + 255) // 256");
}

TEST(Complete, ConstantsOfTheHostThatBoundTheKernelAreSizes) {
  const std::string host = R"(
    #include <CL/cl.h>
    #define N 1000
    int main(void) {
      cl_context c; cl_program p; cl_command_queue q; cl_int e; int n = N;
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof(float) * N * N, 0, &e);
      cl_kernel k = clCreateKernel(p, "twice", &e);
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(int), &n);
      size_t g[2] = {1024, N}, l[2] = {32, 8};
      clEnqueueNDRangeKernel(q, k, 2, 0, g, l, 0, 0, 0);
    })";
  const std::string kernel = R"(__kernel void twice(__global float *a, int n) {
      int j = get_global_id(0), i = get_global_id(1);
      if (i < n && j < n) a[i * n + j] *= 2;
    })";
  const auto mep = completed({{"main.c", host}, {"a.cl", kernel}}, {"twice"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.global.at(0).print(), "round_up(n, 32)");
  EXPECT_EQ(launch.global.at(1).print(), "n");
  EXPECT_EQ(mep->buffers.at(0).extent.print(), "n * n");
  EXPECT_EQ(std::get<std::int64_t>(mep->workloads[0].scalars.at("n")), 1000);
  // A number that stands in the kernel's text too cannot become another one.
  const std::string other = R"(__kernel void twice(__global float *a, int n) {
      int j = get_global_id(0), i = get_global_id(1);
      if (i < n && j < n && j < 1000) a[i * n + j] *= 2;
    })";
  const auto fixed = completed({{"main.c", host}, {"a.cl", other}}, {"twice"});
  ASSERT_TRUE(fixed.has_value()) << fixed.error().text();
  EXPECT_EQ(std::get<Launch>(fixed->workloads[0].launches.at(0)).global.at(0).print(), "1024");
}

TEST(Complete, WithoutAHostTheGuardsGiveTheGeometry) {
  const auto mep = completed({{"a.cl", R"(
    __kernel void add(__global const float *x, __global float *y, int rows, int columns) {
      int r = get_global_id(0), c = get_global_id(1);
      if (r >= rows || c >= columns) return;
      y[r * columns + c] += x[c];
    })"}},
                             {"add"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.global.at(0).print(), "rows");
  EXPECT_EQ(launch.global.at(1).print(), "columns");
  EXPECT_EQ(buffer(*mep, "x")->extent.print(), "columns");
  EXPECT_EQ(buffer(*mep, "y")->extent.print(), "columns * rows");
  EXPECT_EQ(mep->fidelity.values, 'C');
}

TEST(Complete, AKernelWithoutAGuardMakesAContractOfItsWorkGroups) {
  const auto mep = completed({{"a.c", R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "twice", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      size_t global = n, local = 32;
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(int), &n);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, 0, 0);
    })"},
                              {"a.cl",
                               "__kernel void twice(__global float *a, int n) { a[get_global_id(0)] = 2 * a[n - 1 - "
                               "(int)get_global_id(0)]; }"}},
                             {"twice"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  ASSERT_EQ(mep->contract.size(), 1U);
  EXPECT_EQ(mep->contract[0].print(), "n % 32 == 0");
  for (const auto& workload : mep->workloads) EXPECT_EQ(std::get<std::int64_t>(workload.scalars.at("n")) % 32, 0);
}

TEST(Complete, TheEdgeOfACubeIsChosenByWhatTheCubeHolds) {
  const auto mep = completed({{"a.c", R"(
    int main(int argc, char **argv) {
      int edge = argc > 1 ? atoi(argv[1]) : 1;
      long boxes = edge * edge * edge;
      cl_kernel k = clCreateKernel(p, "total", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, boxes * 100 * sizeof(float), 0, 0);
      cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, boxes * sizeof(float), 0, 0);
      size_t global = boxes * 64, local = 64;
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(cl_mem), &b);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, 0, 0);
    })"},
                              {"a.cl", R"(__kernel void total(__global const float *a, __global float *b) {
      if (get_local_id(0) != 0) return;
      for (int i = 0; i < 100; i++) b[get_group_id(0)] += a[get_group_id(0) * 100 + i];
    })"}},
                             {"total"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto edge = std::get<std::int64_t>(mep->workloads[0].scalars.at("edge"));
  EXPECT_GT(edge, 1);
  EXPECT_LE(edge * edge * edge * 101 * 4, std::int64_t{64} << 20);
  EXPECT_LE(edge * edge * edge * 64, std::int64_t{1} << 20);
}

TEST(Complete, LaunchesInALoopKeepIt) {
  const auto mep = completed({{"a.c", R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "column", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * n * sizeof(float), 0, 0);
      size_t global = n;
      for (int j = 0; j < n; j++) {
        clSetKernelArg(k, 0, sizeof(cl_mem), &a);
        clSetKernelArg(k, 1, sizeof(int), &n);
        clSetKernelArg(k, 2, sizeof(int), &j);
        clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
      }
    })"},
                              {"a.cl",
                               "__kernel void column(__global float *a, int n, int j) { int i = get_global_id(0); if "
                               "(i < n) a[i * n + j] *= 2; }"}},
                             {"column"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto* loop = std::get_if<LaunchLoop>(&mep->workloads[0].launches.at(0));
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->end.print(), "n");
  EXPECT_EQ(buffer(*mep, "a")->extent.print(), "n * n");
}

std::string host_of(const std::string& kernel, const std::string& first, const std::string& second) {
  return "void go(int n) {\n"
         "  cl_kernel k = clCreateKernel(p, \"" +
         kernel +
         "\", 0);\n"
         "  cl_mem first = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);\n"
         "  cl_mem second = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);\n"
         "  size_t global = n;\n"
         "  clSetKernelArg(k, 0, sizeof(cl_mem), " +
         first +
         ");\n"
         "  clSetKernelArg(k, 1, sizeof(cl_mem), " +
         second +
         ");\n"
         "  clSetKernelArg(k, 2, sizeof(int), &n);\n"
         "  clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);\n}\n";
}

TEST(Complete, ArgumentsMayBeCalledLikeWordsOfTheExpressionLanguage) {
  const auto mep = completed({{"a.cl",
                               "__kernel void k(__global const float *in, __global float *and, int not) {\n"
                               "  int i = get_global_id(0);\n  if (i < not) and[i] = in[i];\n}"}},
                             {"k"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto again = mep_from_toml(to_toml(*mep), "mep.toml");
  ASSERT_TRUE(again) << again.error().text() << to_toml(*mep);
  EXPECT_EQ(again->workloads, mep->workloads);
  for (const auto& workload : again->workloads) EXPECT_TRUE(concretise(*again, workload, {}, {}, 1));
  const auto problem = problem_text(*again, {again->language, mep->source, {}, {}}, {});
  ASSERT_TRUE(problem) << problem.error().text();
  EXPECT_NE(problem->find("buffer:in buffer:and"), std::string::npos) << *problem;
}

TEST(Complete, WhatTheHostSaysIsSeenAndWhatItDoesNotIsGuessed) {
  const std::string kernel =
      "__kernel void k(__global float *a, __global float *b, int n) {\n"
      "  int i = get_global_id(0);\n  if (i < n) a[i] = b[i];\n}";
  const auto mep = completed({{"a.c", host_of("k", "&first", "pick(n)")}, {"a.cl", kernel}}, {"k"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(print(launch.sizes), "seen a.c:9");
  EXPECT_EQ(print(launch.arguments.at("a").from), "seen a.c:6");
  EXPECT_EQ(print(launch.arguments.at("b").from), "guessed");
  EXPECT_EQ(print(buffer(*mep, "first")->from), "seen a.c:3");
}

TEST(Complete, ASizeThatAWeightIsComputedFromStaysWhole) {
  const auto mep = completed({{"main.c", R"(
#include <CL/cl.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float step = 0.016 / n;
  cl_mem x = clCreateBuffer(0, 0, n * sizeof(float), 0, 0);
  cl_kernel k = clCreateKernel(0, "scale", 0);
  clSetKernelArg(k, 0, sizeof x, &x);
  clSetKernelArg(k, 1, sizeof n, &n);
  clSetKernelArg(k, 2, sizeof step, &step);
  size_t items = n;
  clEnqueueNDRangeKernel(0, k, 1, 0, &items, 0, 0, 0, 0);
})"},
                              {"k.cl", R"(
__kernel void scale(__global float *x, int n, float step) {
  int i = get_global_id(0);
  if (i < n) x[i] *= step;
})"}},
                             {"scale"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  for (const auto& workload : mep->workloads)
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(workload.scalars.at("n"))) << workload.name;
}

TEST(Complete, WithoutAHostNothingIsSeen) {
  const auto mep = completed({{"a.cl",
                               "__kernel void k(__global float *a, __global float *b, int n) {\n"
                               "  int i = get_global_id(0);\n  if (i < n) a[i] = b[i];\n}"}},
                             {"k"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.sizes.kind, Provenance::Kind::Inferred);
  EXPECT_EQ(launch.arguments.at("a").from.kind, Provenance::Kind::Guessed);
  EXPECT_EQ(buffer(*mep, "a")->from.kind, Provenance::Kind::Inferred);
  EXPECT_EQ(mep->workloads[0].from.at("n").kind, Provenance::Kind::Guessed);
}

TEST(Complete, AnUndecidedChoiceOfTheHostIsNotItsFirstBranch) {
  auto host = host_of("k", "&first", "&second");
  host.replace(host.find("size_t global = n"), 17, "size_t global = wide(n) ? 4096 : 64");
  const auto mep = completed({{"a.c", host},
                              {"a.cl",
                               "__kernel void k(__global float *a, __global float *b, int n) {\n"
                               "  a[get_global_id(0)] = b[get_global_id(0)];\n}"}},
                             {"k"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_NE(launch.global.at(0).print(), "4096");
}

TEST(Complete, TakesWhatThePersonSets) {
  Limits limits;
  limits.set = {{"n", std::int64_t{12345}}};
  const Files files = {{"a.c", host_of("k", "&first", "&second")},
                       {"a.cl",
                        "__kernel void k(__global float *a, __global float *b, int n) {\n"
                        "  int i = get_global_id(0);\n  if (i < n) a[i] = b[i];\n}"}};
  const auto mep = completed(files, {"k"}, limits);
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_EQ(std::get<std::int64_t>(mep->workloads[0].scalars.at("n")), 12345);
  EXPECT_EQ(mep->workloads[0].from.at("n").kind, Provenance::Kind::Set);
  limits.set = {{"m", std::int64_t{1}}};
  const auto refused = completed(files, {"k"}, limits);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), "E-SET");
}

TEST(Complete, SaysWhenTheContractAllowsNoOtherSize) {
  // The kernel always reads element 4095, and the host's buffer has n of them: no smaller n works.
  const auto mep = completed({{"a.c", R"(
    void go() {
      int n = 4096;
      cl_kernel k = clCreateKernel(p, "last", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      size_t global = n;
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(int), &n);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
    })"},
                              {"a.cl",
                               "__kernel void last(__global float *a, int n) { int i = get_global_id(0); if (i < n) "
                               "a[i] = 2 * a[4095]; }"}},
                             {"last"});
  ASSERT_TRUE(mep.has_value()) << mep.error().text();
  EXPECT_EQ(copies_of_tune(*mep), (std::vector<std::string>{"held-out", "awkward"}));
  for (const std::string role : {"held-out", "awkward"})
    EXPECT_TRUE(std::ranges::any_of(mep->fidelity.reasons, [&](const std::string& reason) {
      return reason.starts_with(role + ": the contract allows no other size");
    })) << role;
}

std::vector<std::uint8_t> floats(const std::vector<float>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(float));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

TEST(Contents, ThatBlowUpAreNoticed) {
  Mep mep;
  mep.buffers = {{"a", "float", Expression(), "uniform(-1,1)"}, {"i", "int", Expression(), "index(64)"}};
  const auto doubt = [&](const std::vector<float>& values) {
    return doubtful(mep, {{"a", floats(values)}}).value_or("");
  };
  EXPECT_EQ(doubt({1, 2, 3}), "");
  EXPECT_EQ(doubt({1, 4.7e26F, 3}), "a grows to 4.7e+26");
  EXPECT_EQ(doubt({1, INFINITY, 3}), "a holds what is no number (inf)");
  EXPECT_EQ(doubt({1, NAN, 3}), "a holds what is no number (nan)");
  EXPECT_EQ(doubt({2, 2, 2}), "a is 2 everywhere");
  auto untouched = floats({1, 2, 3, 4});
  std::fill(untouched.begin() + 8, untouched.end(), std::uint8_t{0x7B});
  EXPECT_FALSE(doubtful(mep, {{"a", untouched}})) << "what K(0) does not write says nothing";
  set_float_fills(mep, "uniform(-0.1,0.1)");
  EXPECT_EQ(mep.buffers[0].fill, "uniform(-0.1,0.1)");
  EXPECT_EQ(mep.buffers[1].fill, "index(64)");
}

}  // namespace
}  // namespace hone::mep
