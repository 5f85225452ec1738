// Completion of every kind of argument, without a device: what the manifest says and the bytes it becomes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/format.hpp"
#include "core/launches.hpp"
#include "inputs/contents.hpp"
#include "mep/complete.hpp"
#include "mep/contents.hpp"
#include "mep/driver_problem.hpp"
#include "source/extract.hpp"
#include "source/lift.hpp"

namespace hone::mep {
namespace {

Result<Mep> completed_kinds(const Files& application, const std::string& kernel, const Limits& limits = {}) {
  source::ExtractRequest request;
  request.kernels = {kernel};
  const auto taken = source::extract(application, request);
  if (!taken) return fail(taken.error());
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::OpenCL, {});
  if (!unit) return fail(unit.error());
  return complete(*taken, *unit, limits, nullptr);
}

std::string fill_of(const Mep& mep, const std::string& name) {
  const auto found = std::ranges::find(mep.buffers, name, &BufferSpec::name);
  return found == mep.buffers.end() ? "no such buffer" : found->fill;
}

/// Also that the manifest reads back as it is.
Problem problem_of(const Mep& mep) {
  const auto again = mep_from_toml(to_toml(mep), "mep.toml");
  EXPECT_TRUE(again) << again.error().text();
  if (!again) return {};
  EXPECT_EQ(again->buffers, mep.buffers);
  EXPECT_EQ(again->images, mep.images);
  EXPECT_EQ(again->structs, mep.structs);
  const auto problem = concretise(*again, mep.workloads.front(), {}, {}, 1);
  EXPECT_TRUE(problem) << problem.error().text();
  return problem ? *problem : Problem{};
}

template <class T>
std::vector<T> values_in(const BufferData& buffer) {
  const auto bytes = inputs::contents_of(buffer);
  if (!bytes) {
    ADD_FAILURE() << bytes.error().text();
    return {};
  }
  std::vector<T> out(bytes->size() / sizeof(T));
  std::memcpy(out.data(), bytes->data(), out.size() * sizeof(T));
  return out;
}
const BufferData& data_of(const Problem& problem, const std::string& name) {
  return *std::ranges::find(problem.buffers, name, &BufferData::name);
}

TEST(Kinds, AStructByValueGuardsAndIsBoundByItsFields) {
  const auto mep = completed_kinds({{"a.cl", R"(
    typedef struct { int count; float scale; uchar3 tint; float weights[4]; } settings_t;
    __kernel void k(__global float *a, settings_t s) {
      int i = get_global_id(0);
      if (i < s.count) a[i] = s.scale * a[i] + s.weights[i & 3];
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  ASSERT_EQ(mep->structs.size(), 1U);
  EXPECT_EQ(mep->structs[0].fields[3].count, 4U);
  const auto& launch = std::get<Launch>(mep->workloads[0].launches.at(0));
  EXPECT_EQ(launch.global.at(0).print(), "s_count");
  EXPECT_EQ(mep->buffers[0].extent.print(), "s_count");
  const auto problem = problem_of(*mep);
  EXPECT_EQ(problem.launches[0].arguments[1].bytes.size(), 28U);  // 4 + 4 + 4 (three in the room of four) + 16
}

TEST(Kinds, SizesStayBelowWhatAnArrayOfTheKernelHolds) {
  const auto mep = completed_kinds({{"a.cl", R"(
    __kernel void k(const int n, __global const float *a, __global float *c) {
      float row[48];
      int i = get_global_id(0);
      if (i < n) {
        for (int k = 0; k < n; k++) row[k] = a[i * n + k];
        float sum = 0.0f;
        for (int k = 0; k < n; k++) sum += row[k] * row[n - 1 - k];
        c[i] = sum;
      }
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  ASSERT_EQ(mep->contract.size(), 1U);
  EXPECT_EQ(mep->contract[0].print(), "n <= 48");
  for (const auto& workload : mep->workloads) EXPECT_LE(std::get<std::int64_t>(workload.scalars.at("n")), 48);
}

TEST(Kinds, WhatTheHostPutsIntoAStructIsTaken) {
  const auto mep = completed_kinds({{"a.c", R"(
    typedef struct { int count; float scale; } settings_t;
    void go(int n) {
      settings_t s;
      s.count = n;
      s.scale = 2.5f;
      cl_kernel k = clCreateKernel(p, "k", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      size_t global = n;
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(s), &s);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
    })"},
                                    {"a.cl", R"(
    typedef struct { int count; float scale; } settings_t;
    __kernel void k(__global float *a, settings_t s) {
      int i = get_global_id(0);
      if (i < s.count) a[i] *= s.scale;
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  const auto& fields = std::get<Launch>(mep->workloads[0].launches.at(0)).arguments.at("s").fields;
  EXPECT_EQ(fields.at("count").print(), "n");
  EXPECT_EQ(fields.at("scale").print(), "scale");
  EXPECT_TRUE(std::holds_alternative<double>(mep->workloads[0].scalars.at("scale")));
}

TEST(Kinds, ABufferOfStructsIsFilledFieldByField) {
  const auto mep = completed_kinds({{"a.cl", R"(
    struct inner { float x, y; };
    typedef struct { struct inner at[2]; int next; double mass; } node_t;
    __kernel void k(__global const node_t *nodes, __global double *out, int n) {
      int i = get_global_id(0);
      if (i < n) out[i] = nodes[i].mass + nodes[nodes[i].next].at[1].x;
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  ASSERT_EQ(mep->structs.size(), 2U);
  const auto problem = problem_of(*mep);
  const auto& nodes = data_of(problem, "nodes");
  EXPECT_EQ(nodes.count % 32, 0U);  // 16 + 4, then 8 at a multiple of 8
  const auto ints = values_in<std::int32_t>(nodes);
  const auto doubles = values_in<double>(nodes);
  const auto count = static_cast<std::int32_t>(nodes.count / 32);
  for (std::int32_t i = 0; i < count; ++i) {
    EXPECT_GE(ints[i * 8 + 4], 0);
    EXPECT_LT(ints[i * 8 + 4], count);
    EXPECT_LE(std::abs(doubles[i * 4 + 3]), 2);
  }
}

TEST(Kinds, APointerInAStructIsRefusedByName) {
  const auto mep = completed_kinds({{"a.cl",
                                     "typedef struct { __global float *p; } box_t;\n"
                                     "__kernel void f(__global box_t *x, int n) { if (get_global_id(0) < n) "
                                     "x[get_global_id(0)].p = 0; }"}},
                                   "f");
  ASSERT_FALSE(mep);
  EXPECT_EQ(mep.error().code(), "E-COMPLETE");
  EXPECT_NE(mep.error().message().find("argument x"), std::string::npos) << mep.error().text();
}

TEST(Kinds, ImagesOfAnyDimensionAreAsLargeAsTheLaunch) {
  const auto mep = completed_kinds({{"a.cl", R"(
    __kernel void k(__read_only image3d_t in, __write_only image2d_t out, sampler_t s, int w, int h) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x >= w || y >= h) return;
      uint4 v = read_imageui(in, s, (int4)(x, y, 0, 0));
      write_imagef(out, (int2)(x, y), convert_float4(v));
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  ASSERT_EQ(mep->images.size(), 2U);
  const auto& in = mep->images[0];
  EXPECT_EQ(in.kind, "3d");
  EXPECT_EQ(in.channel_type, "unsigned_int32");
  EXPECT_EQ(in.width.print(), "w");
  EXPECT_EQ(mep->images[1].channel_type, "float");
  EXPECT_EQ(mep->images[1].fill, "zero");
  const auto problem = problem_of(*mep);
  EXPECT_EQ(problem.images[0].kind, "3d");
  const auto text = problem_text(*mep, {mep->language, mep->source, {}, {}}, {});
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("image in 3d RGBA unsigned_int32"), std::string::npos) << *text;
}

TEST(Kinds, RowOffsetsAreMonotoneAndStayInside) {
  const auto mep = completed_kinds({{"a.c", R"(
    void go(int n, int entries) {
      cl_kernel k = clCreateKernel(p, "spmv", 0);
      cl_mem rows = clCreateBuffer(c, CL_MEM_READ_ONLY, (n + 1) * sizeof(int), 0, 0);
      cl_mem columns = clCreateBuffer(c, CL_MEM_READ_ONLY, 6 * n * sizeof(int), 0, 0);
      cl_mem values = clCreateBuffer(c, CL_MEM_READ_ONLY, 6 * n * sizeof(float), 0, 0);
      cl_mem x = clCreateBuffer(c, CL_MEM_READ_ONLY, n * sizeof(float), 0, 0);
      cl_mem y = clCreateBuffer(c, CL_MEM_WRITE_ONLY, n * sizeof(float), 0, 0);
      size_t global = n;
      clSetKernelArg(k, 0, sizeof(cl_mem), &rows);
      clSetKernelArg(k, 1, sizeof(cl_mem), &columns);
      clSetKernelArg(k, 2, sizeof(cl_mem), &values);
      clSetKernelArg(k, 3, sizeof(cl_mem), &x);
      clSetKernelArg(k, 4, sizeof(cl_mem), &y);
      clSetKernelArg(k, 5, sizeof(int), &n);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
    })"},
                                    {"a.cl", R"(
    __kernel void spmv(__global const int *rows, __global const int *columns, __global const float *values,
                       __global const float *x, __global float *y, int n) {
      int i = get_global_id(0);
      if (i < n) {
        float sum = 0;
        for (int k = rows[i]; k < rows[i + 1]; k++) sum += values[k] * x[columns[k]];
        y[i] = sum;
      }
    })"}},
                                   "spmv");
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_TRUE(fill_of(*mep, "rows").starts_with("offsets(6 * n")) << fill_of(*mep, "rows");
  EXPECT_TRUE(fill_of(*mep, "columns").starts_with("index(")) << fill_of(*mep, "columns");
  const auto problem = problem_of(*mep);
  const auto rows = values_in<std::int32_t>(data_of(problem, "rows"));
  const auto count = static_cast<std::int32_t>(data_of(problem, "columns").count);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), count);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  EXPECT_TRUE(std::ranges::adjacent_find(rows) != rows.end() || rows[1] * 2 != rows[2]) << "rows are ragged";
  const auto size = static_cast<std::int32_t>(data_of(problem, "x").count);
  for (const auto column : values_in<std::int32_t>(data_of(problem, "columns"))) {
    ASSERT_GE(column, 0);
    ASSERT_LT(column, size);
  }
}

TEST(Kinds, AScatterGetsAPermutation) {
  const auto mep = completed_kinds({{"a.cl", R"(
    __kernel void k(__global const int *to, __global const float *in, __global float *out, int n) {
      int i = get_global_id(0);
      if (i < n) out[to[i]] = in[i];
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_TRUE(fill_of(*mep, "to").starts_with("permutation(")) << fill_of(*mep, "to");
}

TEST(Kinds, CountersStartAtZeroAndWhatIsAppendedIsASet) {
  const auto mep = completed_kinds({{"a.cl", R"(
    __kernel void k(__global const int *in, __global int *out, __global int *count, int n) {
      int i = get_global_id(0);
      if (i < n && in[i] > 0) out[atomic_inc(count)] = in[i];
    })"}},
                                   "k");
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_EQ(fill_of(*mep, "count"), "zero");
  EXPECT_EQ(mep->check.unordered, std::vector<std::string>{"out"});
  EXPECT_FALSE(data_of(problem_of(*mep), "count").poison);
}

TEST(Kinds, WhatIsWrittenFirstAndReadLaterIsNotPoisoned) {
  const auto mep = completed_kinds({{"a.c", R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "step", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      cl_mem b = clCreateBuffer(c, CL_MEM_READ_WRITE, n * sizeof(float), 0, 0);
      size_t global = n;
      clSetKernelArg(k, 2, sizeof(int), &n);
      for (int i = 0; i < 6; i++) {
        clSetKernelArg(k, 0, sizeof(cl_mem), &a);
        clSetKernelArg(k, 1, sizeof(cl_mem), &b);
        clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
        cl_mem t = a; a = b; b = t;
      }
    })"},
                                    {"a.cl", R"(
    __kernel void step(__global const float *in, __global float *out, int n) {
      int i = get_global_id(0);
      if (i > 0 && i < n - 1) out[i] = 0.25f * (in[i - 1] + 2 * in[i] + in[i + 1]);
    })"}},
                                   "step");
  ASSERT_TRUE(mep) << mep.error().text();
  for (const auto& buffer : problem_of(*mep).buffers) EXPECT_FALSE(buffer.poison) << buffer.name;
}

TEST(Kinds, AnArgumentTheHostComputesCanBeSet) {
  Limits limits;
  limits.set["m"] = Value(std::int64_t{48});
  const auto mep = completed_kinds({{"a.c", R"(
    void go(int n) {
      cl_kernel k = clCreateKernel(p, "k", 0);
      cl_mem a = clCreateBuffer(c, CL_MEM_READ_WRITE, 4096, 0, 0);
      int half = n / 2 + 1;
      size_t global = 64;
      clSetKernelArg(k, 0, sizeof(cl_mem), &a);
      clSetKernelArg(k, 1, sizeof(int), &half);
      clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, 0, 0);
    })"},
                                    {"a.cl",
                                     "__kernel void k(__global float *a, int m) { int i = get_global_id(0); if (i < m) "
                                     "a[i] = i; }"}},
                                   "k", limits);
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_EQ(mep->workloads[0].scalars.at("m"), Value(std::int64_t{48}));
  EXPECT_EQ(mep->workloads[0].from.at("m").kind, Provenance::Kind::Set);
}

TEST(Kinds, OutputsInAnotherOrderAreTheSameSet) {
  const std::vector<std::uint8_t> one = {1, 0, 2, 0, 3, 0}, other = {3, 0, 1, 0, 2, 0}, third = {3, 0, 3, 0, 2, 0};
  EXPECT_EQ(elements_in_order(one, 2), elements_in_order(other, 2));
  EXPECT_NE(elements_in_order(one, 2), elements_in_order(third, 2));
}

TEST(Kinds, SharedMemoryOfTheLaunchIsALocalArgumentWithTheBytesThatTheHostGives) {
  const std::string file =
      "#include <cuda_runtime.h>\n"
      "__global__ void other(float* a) { extern __shared__ double wide[]; a[0] = wide[0]; }\n"
      "__global__ void sum(const float* a, float* out, int n) {\n"
      "  extern __shared__ __align__(16) unsigned int part[];\n"
      "  part[threadIdx.x] = threadIdx.x < n ? (unsigned int)a[threadIdx.x] : 0;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) out[0] = part[0] + part[1];\n"
      "}\n"
      "int main(int argc, char** argv) {\n"
      "  int n = atoi(argv[1]);\n"
      "  float *a, *out;\n"
      "  cudaMalloc(&a, n * sizeof(float));\n"
      "  cudaMalloc(&out, 4);\n"
      "  sum<<<1, 64, 64 * 8>>>(a, out, n);\n"
      "}\n";
  source::ExtractRequest request;
  request.kernels = {"sum"};
  const auto taken = source::extract({{"a.cu", file}}, request);
  ASSERT_TRUE(taken) << taken.error().text();
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::Cuda, {});
  ASSERT_TRUE(unit);
  const auto mep = complete(*taken, *unit, {}, nullptr);
  ASSERT_TRUE(mep) << mep.error().text();
  const auto& last = mep->kernels.front().arguments.back();
  EXPECT_EQ(last.name, "part");
  EXPECT_EQ(last.kind, ArgumentSpec::Kind::Local);
  EXPECT_EQ(last.type, "uint");
  const auto& launch = std::get<Launch>(mep->workloads.front().launches.at(0));
  EXPECT_EQ(launch.arguments.at("part").value.print(), "128");
}

TEST(Kinds, WhereNoLaunchIsSeenTheGroupIsTheOneThatLocalArraysAreMadeFor) {
  const auto mep = completed_kinds({{"a.cl",
                                     "__kernel void turn(__global const float* a, __global float* b, int n) {\n"
                                     "  __local float tile[16][17];\n"
                                     "  int x = get_global_id(0), y = get_global_id(1);\n"
                                     "  if (x < n && y < n) tile[get_local_id(1)][get_local_id(0)] = a[y * n + x];\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  if (x < n && y < n) b[y * n + x] = tile[get_local_id(0)][get_local_id(1)];\n"
                                     "}\n"}},
                                   "turn");
  ASSERT_TRUE(mep) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads.front().launches.at(0));
  ASSERT_EQ(launch.local.size(), 2U);
  EXPECT_EQ(launch.local[0].print(), "16");
  EXPECT_EQ(launch.local[1].print(), "16");
}

TEST(Kinds, InCudaAGroupIsChosenWhereNoLaunchIsSeen) {
  source::ExtractRequest request;
  request.kernels = {"ramp"};
  const auto taken =
      source::extract({{"a.cu",
                        "__global__ void ramp(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "  if (i < n) a[i] = i;\n}\n"}},
                      request);
  ASSERT_TRUE(taken) << taken.error().text();
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::Cuda, {});
  ASSERT_TRUE(unit);
  const auto mep = complete(*taken, *unit, {}, nullptr);
  ASSERT_TRUE(mep) << mep.error().text();
  const auto& launch = std::get<Launch>(mep->workloads.front().launches.at(0));
  ASSERT_EQ(launch.local.size(), 1U);
  EXPECT_EQ(launch.local[0].print(), "64");
}

TEST(Kinds, WhereOnlyTheGroupIsSeenItIsKept) {
  source::ExtractRequest request;
  request.kernels = {"ramp"};
  const auto taken = source::extract({{"a.cu",
                                       "#include <cuda_runtime.h>\n"
                                       "__global__ void ramp(half2* a, int n) {\n  int i = blockIdx.x * blockDim.x + "
                                       "threadIdx.x;\n  __syncthreads();\n"
                                       "  if (i < n) a[i].x = a[0].y;\n}\n"
                                       "int count();\nint main() {\n  half2* a;\n  cudaMalloc(&a, 4096);\n  "
                                       "ramp<<<count() * count(), 192>>>(a, 1024);\n}\n"}},
                                     request);
  ASSERT_TRUE(taken) << taken.error().text();
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::Cuda, {});
  ASSERT_TRUE(unit);
  const auto mep = complete(*taken, *unit, {}, nullptr);
  ASSERT_TRUE(mep) << mep.error().text();
  EXPECT_EQ(mep->kernels.front().arguments.front().type, "half2");
  const auto& launch = std::get<Launch>(mep->workloads.front().launches.at(0));
  ASSERT_EQ(launch.local.size(), 1U);
  EXPECT_EQ(launch.local[0].print(), "192");
}

TEST(Kinds, ALaunchWithoutSizesIsLeftOutWhereAnotherHasThem) {
  source::ExtractRequest request;
  request.kernels = {"ramp"};
  const auto taken =
      source::extract({{"a.cu",
                        "#include <cuda_runtime.h>\n"
                        "__global__ void ramp(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  "
                        "if (i < n) a[i] = i;\n}\n"
                        "int count();\nint main(int argc, char** argv) {\n  int n = atoi(argv[1]);\n  float* a;\n"
                        "  cudaMalloc(&a, n * sizeof(float));\n  ramp<<<count() * count(), 192>>>(a, n);\n"
                        "  ramp<<<(n + 95) / 96, 96>>>(a, n);\n}\n"}},
                      request);
  ASSERT_TRUE(taken) << taken.error().text();
  const auto unit = source::ClangLifter().lift(taken->source, ir::Dialect::Cuda, {});
  ASSERT_TRUE(unit);
  const auto mep = complete(*taken, *unit, {}, nullptr);
  ASSERT_TRUE(mep) << mep.error().text();
  ASSERT_EQ(mep->workloads.front().launches.size(), 1U);
  EXPECT_EQ(std::get<Launch>(mep->workloads.front().launches.at(0)).local.at(0).print(), "96");
}

}  // namespace
}  // namespace hone::mep
