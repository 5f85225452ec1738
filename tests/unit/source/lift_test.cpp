#include "source/lift.hpp"

#include <gtest/gtest.h>

#include "ir/build.hpp"
#include "ir/describe.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"

namespace hone::source {
namespace {

using ir::Dialect;
using ir::Kind;

ir::Unit lifted(const std::string& text, Dialect dialect = Dialect::OpenCL, const ir::LiftOptions& options = {}) {
  return ClangLifter().lift(text, dialect, options).value();
}

/// What every lift promises: its bytes come back, and its structure survives being written out and read again.
void expect_faithful(const std::string& text, const ir::Unit& unit) {
  EXPECT_EQ(ir::print(unit).value(), text);
  const auto again = ir::force_print(unit, unit.dialect).value();
  EXPECT_TRUE(ir::same(lifted(again, unit.dialect).root, unit.root))
      << again << ir::describe(unit) << ir::describe(lifted(again, unit.dialect));
}

ir::Unit expect_understood(const std::string& text, Dialect dialect = Dialect::OpenCL) {
  auto unit = lifted(text, dialect);
  EXPECT_FALSE(ir::contains_verbatim(unit.root)) << ir::describe(unit) << (unit.notes.empty() ? "" : unit.notes[0]);
  EXPECT_FALSE(ir::kernels_of(unit).empty()) << ir::describe(unit);
  expect_faithful(text, unit);
  return unit;
}

const char* const kGemm = R"(#define DATA_TYPE float
typedef float real;

__kernel void gemm(__global DATA_TYPE *a, __global const DATA_TYPE *b, __global real * restrict c, DATA_TYPE alpha,
                   DATA_TYPE beta, int ni, int nj, int nk)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

    if ((i < ni) && (j < nj))
    {
        c[i * nj + j] *= beta;  // scaled first
        int k;
        #pragma unroll 4
        for(k=0; k < nk; k++)
        {
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj +j];
        }
    }
}
)";

TEST(Lift, APolybenchKernelIsUnderstoodWhole) {
  const auto unit = expect_understood(kGemm);
  const auto kernel = ir::find_function(unit, "gemm");
  EXPECT_EQ(ir::parameters_of(kernel).size(), 8U);
  EXPECT_EQ(ir::find_all(kernel, Kind::For).size(), 1U);
  EXPECT_EQ(ir::find_all(kernel, Kind::ThreadIndex).size(), 2U);
  EXPECT_TRUE(ir::parameters_of(kernel)[2]->type.is_restrict);
  EXPECT_EQ(ir::parameters_of(kernel)[2]->type.pointee->name, "real");
}

TEST(Lift, AReductionWithLocalMemoryAndBarriersIsUnderstoodWhole) {
  const auto unit = expect_understood(R"(
#define WG 64
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(__global const float4* in, __global float* out, __local float* tmp, uint n)
{
  __local float extra[WG][2];
  const size_t lid = get_local_id(0);
  float sum = 0.0f, best = -FLT_MAX;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    float4 v = in[i];
    sum += dot(v, (float4)(1.0f)) + v.s1 + convert_float(i & 3u);
    best = fmax(best, v.x > v.y ? v.x : v.y);
  }
  tmp[lid] = sum;
  extra[lid][0] = best; extra[lid][1] = as_float(3);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (lid < s) tmp[lid] += tmp[lid + s];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  if (!lid) out[get_group_id(0)] = tmp[0] * M_PI_F + (float)WG;
}
)");
  EXPECT_EQ(ir::find_all(unit.root, Kind::Barrier).size(), 2U);
}

TEST(Lift, AStencilWithHelpersStructsAndSwitchIsUnderstoodWhole) {
  expect_understood(R"(typedef struct { int w, h; float k[3]; } Shape;
__constant float weights[3] = {0.25f, 0.5f, 0.25f};
enum Mode { CLAMP, WRAP };

static inline int at(int x, int n, int mode) {
  switch (mode) {
    case CLAMP: return clamp(x, 0, n - 1);
    case WRAP:
      while (x < 0) x += n;
      do { x -= n; } while (x >= n);
      return x + n;
    default: break;
  }
  return 0;
}

kernel void blur(global const float *in, global float *out, constant Shape *shape, Shape other)
{
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= shape->w || y >= other.h) return;
  float sum = 0;
  for (int d = -1; d <= 1; d++)
  {
    if (d == 5) continue;
    sum += weights[d + 1] * in[y * shape->w + at(x + d, shape->w, 1)];
  }
  out[y * shape->w + x] = sum / (weights[0] + weights[1] + weights[2]);
}
)");
}

const char* const kCuda = R"(#include <cuda_runtime.h>
#define TILE 16

__device__ __forceinline__ float square(float x) { return x * x; }

__constant__ float scale[2];

extern "C" __global__ void __launch_bounds__(256) tiled(const float* __restrict__ a, float4* b, float* c, int n)
{
  __shared__ float tile[TILE][TILE + 1];
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = threadIdx.y + blockDim.y * blockIdx.y;
  float sum = 0.f;
  for (int t = 0; t < n / TILE; ++t) {
    tile[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += square(tile[threadIdx.y][k]) * scale[0];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sqrtf(sum) + float(n);
  b[0] = make_float4(sum, sum, 0.f, 1.f);
  float4 v = b[1];
  unsigned long long big = 3ULL;
  atomicAdd(&c[0], v.x + (float)big);
}
)";

TEST(Lift, ATiledCudaKernelIsUnderstoodWhole) {
  const auto unit = expect_understood(kCuda, Dialect::Cuda);
  int global = 0;
  for (const auto& n : ir::find_all(unit.root, Kind::ThreadIndex)) global += n->text == "global_id" ? 1 : 0;
  EXPECT_EQ(global, 2);
}

TEST(Lift, TheSameKernelIsUnderstoodAsHip) { expect_understood(kCuda, Dialect::Hip); }

TEST(Lift, TheOldWordsOfHipAreTheSameIndices) {
  const auto unit = expect_understood(
      "#include <hip/hip_runtime.h>\n"
      "__global__ void ramp(float* a, int n) {\n"
      "  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;\n"
      "  if (i < n) a[i] = hipGridDim_y;\n"
      "}\n",
      Dialect::Hip);
  std::vector<std::string> indices;
  for (const auto& n : ir::find_all(unit.root, Kind::ThreadIndex)) indices.push_back(n->text);
  EXPECT_EQ(indices, (std::vector<std::string>{"global_id", "num_groups"}));
}

}  // namespace
}  // namespace hone::source
