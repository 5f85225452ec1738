// Kernels with known answers in what only CUDA has: masks of lanes, bfloat16, its cooperative groups.

#include "device/gpu_kernels.hpp"

namespace hone {
namespace {

using CudaKernels = GpuKernels;

TEST_F(CudaKernels, HalfAWarpShufflesAlone) {
  expect_ints(ints("int v = in[i]; if ((t & 31) < 16) v = __shfl_down_sync(0xFFFFu, v, 1, 16); out[i] = v;"),
              [](int i) { return i % 32 < 15 ? i + 1 : i; });
}
TEST_F(CudaKernels, LanesMatch) {
  expect_ints(ints("out[i] = __match_any_sync(~0u, in[i] % 4);"),
              [](int i) { return static_cast<int>(0x11111111U << (i % 4)); });
}
TEST_F(CudaKernels, AWarpReducesInOneInstruction) {
  expect_ints(ints("out[i] = __reduce_add_sync(~0u, in[i]) + __reduce_max_sync(~0u, in[i]);"),
              [](int i) { return 32 * (i / 32 * 32) + 31 * 16 + i / 32 * 32 + 31; });
}
TEST_F(CudaKernels, SyncwarpOrdersSharedMemory) {
  expect_ints(ints("__shared__ int s[64]; s[t] = in[i]; __syncwarp(); int v = s[t ^ 1]; __syncwarp(); s[t] = v; "
                   "__syncwarp(); out[i] = s[t];"),
              [](int i) { return i ^ 1; });
}
TEST_F(CudaKernels, DotProductsOfBytes) {
  expect_ints(ints("out[i] = __dp4a(in[i] * 0x01010101, 0x01FF0302, 9);"), [](int i) {
    const auto word = static_cast<unsigned>(i) * 0x01010101U;
    const signed char b[4] = {2, 3, -1, 1};
    int sum = 9;
    for (int j = 0; j < 4; ++j) sum += static_cast<signed char>(word >> (8 * j)) * b[j];
    return sum;
  });
}
TEST_F(CudaKernels, Bfloat16) {
  const std::string head = "#include <cuda_bf16.h>\n";
  const auto got = map<float>("float",
                              head +
                                  "extern \"C\" __global__ void k(const float* in, float* out, int n) { int i = "
                                  "blockIdx.x * blockDim.x + threadIdx.x; __nv_bfloat16 a = __float2bfloat16(in[i]); "
                                  "out[i] = __bfloat162float(__hadd(a, __float2bfloat16(1.0f))); }",
                              128);
  expect_floats(got, [](int i) { return static_cast<float>(i) + 1.0F; });
}
TEST_F(CudaKernels, WholeNumbersBecomeFloatsInTheDirectionThatIsTold) {
  const auto big = [](int i) { return (1 << 24) + 1 + 4 * i; };  // half way between two floats
  const auto down = [big](int i) { return static_cast<float>(big(i) - 1); };
  const auto got =
      map<float>("float",
                 "extern \"C\" __global__ void k(const float* in, float* out, int n) { int i = blockIdx.x * "
                 "blockDim.x + threadIdx.x; int v = (1 << 24) + 1 + 4 * i; out[i] = (__int2float_ru(v) - "
                 "__int2float_rd(v)) * 1e8f + (__uint2float_rz(v) - __double2float_rd(v)) * 1e4f + "
                 "__ll2float_rz(-(long long)v); }",
                 64);
  expect_floats(got, [down](int i) { return 2e8F - down(i); }, 0);
}
TEST_F(CudaKernels, CooperativeGroupsOfABlock) {
  const std::string head = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";
  const auto got = map<int>(
      "int",
      head +
          "extern \"C\" __global__ void k(const int* in, int* out, int n) { int i = blockIdx.x * blockDim.x + "
          "threadIdx.x; auto b = cg::this_thread_block(); auto w = cg::tiled_partition<16>(b); int v = in[i]; for (int "
          "d = 8; d > 0; d /= 2) v += w.shfl_down(v, d); v = w.shfl(v, 0); b.sync(); out[i] = v + w.thread_rank(); }");
  expect_ints(got, [](int i) { return 16 * (i / 16 * 16) + 120 + i % 16; });
}

}  // namespace
}  // namespace hone
