#include "mep/complete.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/launches.hpp"
#include "os/files.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

Result<Mep> completed(const Files& application, const std::vector<std::string>& kernels, const Limits& limits = {}) {
  source::ExtractRequest request;
  request.kernels = kernels;
  const auto taken = source::extract(application, request);
  if (!taken) return fail(taken.error());
  ir::LiftOptions options;
  for (const auto& define : taken->defines) options.defines[define.name] = define.value;
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::OpenCL, options);
  if (!unit) return fail(unit.error());
  return complete(*taken, *unit, limits, nullptr);
}

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

TEST(Complete, AnArgumentOfUnknownTypeIsNamedInTheError) {
  const auto mep = completed({{"a.cl",
                               "struct p { int a; float b; };\n__kernel void f(__global struct p *x, int n) { if "
                               "(get_global_id(0) < n) x[get_global_id(0)].a = 1; }"}},
                             {"f"});
  ASSERT_FALSE(mep.has_value());
  EXPECT_EQ(mep.error().code(), "E-COMPLETE");
  EXPECT_NE(mep.error().message().find("argument x"), std::string::npos);
}

}  // namespace
}  // namespace hone::mep
