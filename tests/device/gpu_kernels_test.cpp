// Small kernels with known answers, each about one thing of the language: compiled for CUDA by the real NVRTC, loaded
// and launched by the backend a user runs, and executed by the stand-in; and all of it once more as HIP. Under
// CUDA_EMULATOR_WATCH=1 they are watched for races too, and are right, so nothing may be found.

#include "device/gpu_kernels.hpp"

#include <cmath>
#include <limits>

namespace hone {
namespace {

TEST_F(GpuKernels, CopiesAndAdds) {
  expect_ints(ints("if (i < n) out[i] = in[i] + 1;"), [](int i) { return i + 1; });
}
TEST_F(GpuKernels, TheTailOfTheLastBlockIsCut) {
  expect_ints(ints("if (i >= n) return; out[i] = in[i] * 3;", 250, 64), [](int i) { return 3 * i; });
}
TEST_F(GpuKernels, StridesOverTheGrid) {
  expect_ints(ints("for (int j = i; j < n; j += gridDim.x * blockDim.x / 4) if (i < n / 4) out[j] = in[j] ^ 5;"),
              [](int i) { return i ^ 5; });
}
TEST_F(GpuKernels, SharedMemoryReversesABlock) {
  expect_ints(ints("__shared__ int s[64]; s[t] = in[i]; __syncthreads(); out[i] = s[63 - t];"),
              [](int i) { return i / 64 * 64 + 63 - i % 64; });
}
TEST_F(GpuKernels, TwoSharedArraysDoNotOverlap) {
  expect_ints(ints("__shared__ char a[64]; __shared__ int b[64]; a[t] = t; b[t] = in[i]; __syncthreads(); out[i] = "
                   "a[63 - t] + b[(t + 1) % 64];"),
              [](int i) { return 63 - i % 64 + i / 64 * 64 + (i + 1) % 64; });
}
TEST_F(GpuKernels, ATreeSumsABlock) {
  expect_ints(ints("__shared__ int s[64]; s[t] = in[i]; for (int d = 32; d > 0; d /= 2) { __syncthreads(); if (t < d) "
                   "s[t] += s[t + d]; }"
                   " __syncthreads(); out[i] = s[0];"),
              [](int i) { return 64 * (i / 64 * 64) + 63 * 32; });
}
TEST_F(GpuKernels, DynamicSharedMemoryComesFromTheLaunch) {
  expect_ints(ints("extern __shared__ int s[]; s[t] = in[i]; __syncthreads(); out[i] = s[blockDim.x - 1 - t];", 256, 64,
                   {shared_of(256)}),
              [](int i) { return i / 64 * 64 + 63 - i % 64; });
}
TEST_F(GpuKernels, DynamicSharedMemoryAbove48KiBIsAskedFor) {
  expect_ints(ints("extern __shared__ int s[]; s[t * 200] = in[i]; __syncthreads(); out[i] = s[(63 - t) * 200];", 256,
                   64, {shared_of(64 * 200 * 4)}),
              [](int i) { return i / 64 * 64 + 63 - i % 64; });
}
TEST_F(GpuKernels, StaticAndDynamicSharedMemoryLieApart) {
  expect_ints(ints("__shared__ int a[64]; extern __shared__ int s[]; a[t] = 7; s[t] = in[i]; __syncthreads(); out[i] = "
                   "s[t] + a[63 - t];",
                   256, 64, {shared_of(256)}),
              [](int i) { return i + 7; });
}
TEST_F(GpuKernels, ShufflesDownSumAWarp) {
  expect_ints(ints("int v = in[i]; for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d); out[i] = "
                   "__shfl_sync(~0u, v, 0);"),
              [](int i) { return 32 * (i / 32 * 32) + 31 * 16; });
}
TEST_F(GpuKernels, ShufflesByXorFindTheMost) {
  expect_ints(ints("int v = in[i] * 7 % 64; for (int d = 16; d > 0; d /= 2) v = max(v, __shfl_xor_sync(~0u, v, d)); "
                   "out[i] = v;"),
              [](int i) {
                int best = 0;
                for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) best = std::max(best, j * 7 % 64);
                return best;
              });
}
TEST_F(GpuKernels, ShufflesUpScanAWarp) {
  expect_ints(ints("int v = 1, l = t & 31; for (int d = 1; d < 32; d *= 2) { int o = __shfl_up_sync(~0u, v, d); if (l "
                   ">= d) v += o; } out[i] = v;"),
              [](int i) { return i % 32 + 1; });
}
TEST_F(GpuKernels, ShufflesStayWithinTheirWidth) {
  expect_ints(ints("out[i] = __shfl_sync(~0u, in[i], 3, 8);"), [](int i) { return i / 8 * 8 + 3; });
}
TEST_F(GpuKernels, LanesVote) {
  expect_ints(ints("unsigned b = __ballot_sync(~0u, in[i] % 3 == 0); out[i] = __popc(b) * 100 + __any_sync(~0u, in[i] "
                   "== 5) * 10 + __all_sync(~0u, in[i] >= 0);"),
              [](int i) {
                int count = 0;
                for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) count += j % 3 == 0 ? 1 : 0;
                return count * 100 + (i < 32 ? 10 : 0) + 1;
              });
}
TEST_F(GpuKernels, ABlockCountsAtItsBarrier) {
  expect_ints(ints("out[i] = __syncthreads_count(t % 4 == 0) * 100 + __syncthreads_and(t < 64) * 10 + "
                   "__syncthreads_or(t == 70);"),
              [](int) { return 1610; });
}
TEST_F(GpuKernels, ThreadsThatEndedDoNotHoldABarrier) {
  expect_ints(ints("__shared__ int s[64]; if (t >= 48) { out[i] = 0; return; } s[t] = in[i]; __syncthreads(); out[i] = "
                   "s[47 - t];"),
              [](int i) { return i % 64 >= 48 ? 0 : i / 64 * 64 + 47 - i % 64; });
}
TEST_F(GpuKernels, AtomicsCountInSharedAndGlobalMemory) {
  expect_ints(ints("__shared__ int s[4]; if (t < 4) s[t] = 0; if (i < 4) out[i] = 0; __syncthreads(); "
                   "atomicAdd(&s[in[i] % 4], 1); __syncthreads();"
                   " if (t < 4) atomicAdd(&out[t], s[t]); if (i >= 4) out[i] = i;",
                   64, 64),
              [](int i) { return i < 4 ? 16 : i; });
}
TEST_F(GpuKernels, AtomicsOfEveryKind) {
  expect_ints(ints("__shared__ int s[8]; if (t == 0) { s[0] = 0; s[1] = 1000; s[2] = 0; s[3] = -1; s[4] = 0; s[5] = 0; "
                   "s[6] = 5; s[7] = 0; } __syncthreads();"
                   "atomicMax(&s[0], in[i]); atomicMin(&s[1], in[i] - 3); atomicOr(&s[2], 1 << (t % 5)); "
                   "atomicAnd(&s[3], ~(1 << (t % 3))); atomicXor(&s[4], t);"
                   "atomicInc((unsigned*)&s[5], 9); atomicDec((unsigned*)&s[6], 9); atomicSub(&s[7], 2); "
                   "__syncthreads(); out[i] = s[t % 8];",
                   64, 64),
              [](int i) { return Ints{63, -3, 31, -8, 0, 4, 1, -128}[static_cast<std::size_t>(i % 8)]; });
}
TEST_F(GpuKernels, AtomicsOnFloatsAndDoubles) {
  const auto got = floats(
      "__shared__ float s; __shared__ double d; if (t == 0) { s = 0; d = 0; } __syncthreads(); atomicAdd(&s, 0.5f); "
      "atomicAdd(&d, 0.25); __syncthreads(); out[i] = s + (float)d;");
  expect_floats(got, [](int) { return 48.0F; });
}
TEST_F(GpuKernels, CompareAndSwapLoopsEnd) {
  expect_ints(ints("__shared__ int s; if (t == 0) s = 0; __syncthreads(); int old = s, seen; do { seen = old; old = "
                   "atomicCAS(&s, seen, seen + in[i] % 3); } while (old != seen);"
                   " __syncthreads(); out[i] = s;",
                   64, 64),
              [](int) { return 63; });
}
TEST_F(GpuKernels, ASpinLockLetsItsOwnerGoOn) {
  expect_ints(ints("__shared__ int lock, sum; if (t == 0) lock = sum = 0; __syncthreads(); bool done = false;"
                   " while (!done) { if (atomicExch(&lock, 1) == 0) { sum += 2; __threadfence_block(); "
                   "atomicExch(&lock, 0); done = true; } } __syncthreads(); out[i] = sum;",
                   64, 64),
              [](int) { return 128; });
}
TEST_F(GpuKernels, SwitchesJumpThroughTables) {
  expect_ints(
      ints("int r; switch (in[i] % 7) { case 0: r = 11; break; case 1: r = i * 2; break; case 2: r = i - 9; break; "
           "case 3: r = i ^ 77; break; case 4: r = 5 * i; break; case 5: r = -i; break; default: r = 3; } out[i] = r;"),
      [](int i) {
        switch (i % 7) {
          case 0: return 11;
          case 1: return i * 2;
          case 2: return i - 9;
          case 3: return i ^ 77;
          case 4: return 5 * i;
          case 5: return -i;
          default: return 3;
        }
      });
}
TEST_F(GpuKernels, DividesSignedAndUnsigned) {
  expect_ints(
      ints("int a = 100 - in[i], b = in[i] % 9 + 1; out[i] = a / b * 1000 + a % b + (int)((unsigned)a / 3u % 100u);"),
      [](int i) {
        const int a = 100 - i, b = i % 9 + 1;
        return a / b * 1000 + a % b + static_cast<int>(static_cast<unsigned>(a) / 3U % 100U);
      });
}
TEST_F(GpuKernels, MultipliesWide) {
  expect_ints(ints("out[i] = (int)(__umul64hi(0x123456789ABCDEFull * (i + 1), 1ull << 40) & 0xFFFFF) + __mulhi(i * "
                   "1000003, 99991) + (int)((long long)i * i * i % 1009);"),
              [](int i) {
                const auto high =
                    static_cast<int>((0x123456789ABCDEFULL * static_cast<unsigned long long>(i + 1)) >> 24U & 0xFFFFFU);
                return high + static_cast<int>((static_cast<long long>(i * 1000003) * 99991) >> 32) +
                       static_cast<int>(static_cast<long long>(i) * i * i % 1009);
              });
}
TEST_F(GpuKernels, BitsAreCountedAndMoved) {
  expect_ints(
      ints("unsigned a = in[i] * 2654435761u; out[i] = __popc(a) + __clz(a) * 40 + __ffs(a) * 2000 + (int)(__brev(a) "
           ">> 24) * 100000 + (int)(__byte_perm(a, 77, 0x4120) & 0xFF) + (int)(__funnelshift_l(a, 3, 5) & 7);"),
      [](int i) {
        const unsigned a = static_cast<unsigned>(i) * 2654435761U;
        unsigned reversed = 0;
        for (int b = 0; b < 32; ++b) reversed |= (a >> b & 1U) << (31 - b);
        const auto shifted = static_cast<unsigned>(((std::uint64_t{3} << 32U | a) << 5U) >> 32U);
        return __builtin_popcount(a) + (a == 0 ? 32 : __builtin_clz(a)) * 40 +
               __builtin_ffs(static_cast<int>(a)) * 2000 + static_cast<int>(reversed >> 24U) * 100000 +
               static_cast<int>(a & 0xFFU) + static_cast<int>(shifted & 7U);
      });
}
TEST_F(GpuKernels, SmallIntegersConvertAndSaturate) {
  expect_ints(ints("unsigned char u = in[i] * 3; signed char s = in[i] * 5; short h = in[i] * 1000; out[i] = u + s * "
                   "256 + h + (int)(signed char)(unsigned char)200 + min(max(in[i] - 100, 0), 50);"),
              [](int i) {
                return static_cast<unsigned char>(i * 3) + static_cast<signed char>(i * 5) * 256 +
                       static_cast<short>(i * 1000) - 56 + std::min(std::max(i - 100, 0), 50);
              });
}
TEST_F(GpuKernels, LocalArraysAreIndexedByVariables) {
  expect_ints(ints("int a[17]; for (int j = 0; j < 17; ++j) a[(j * 5 + in[i]) % 17] = j; out[i] = a[in[i] % 17] * 100 "
                   "+ a[(in[i] * 3) % 17];"),
              [](int i) {
                int a[17];
                for (int j = 0; j < 17; ++j) a[(j * 5 + i) % 17] = j;
                return a[i % 17] * 100 + a[i * 3 % 17];
              });
}
TEST_F(GpuKernels, FunctionsThatAreNotInlinedRecurse) {
  const auto source =
      "__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
      "extern \"C\" __global__ void k(const int* in, int* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
      "out[i] = fib(in[i] % 12); }";
  expect_ints(map<int>("int", source, 64, 32), [](int i) {
    int a = 0, b = 1;
    for (int j = 0; j < i % 12; ++j) b = std::exchange(a, b) + b;
    return a;
  });
}
TEST_F(GpuKernels, FloatFunctionsAreThoseOfTheLanguage) {
  expect_floats(
      floats("float x = in[i] * 0.37f + 0.1f; out[i] = sinf(x) + cosf(x) * expf(-x) + logf(x) + powf(x, 1.3f) + "
             "tanhf(x) + atan2f(x, 2) + sqrtf(x) + rsqrtf(x);"),
      [](int i) {
        const double x = static_cast<float>(i) * 0.37F + 0.1F;
        return static_cast<float>(std::sin(x) + std::cos(x) * std::exp(-x) + std::log(x) + std::pow(x, 1.3F) +
                                  std::tanh(x) + std::atan2(x, 2) + std::sqrt(x) + 1 / std::sqrt(x));
      },
      1e-4);
}
TEST_F(GpuKernels, FastFunctionsAreNear) {
  expect_floats(
      floats("float x = in[i] * 0.01f + 0.1f; out[i] = __sinf(x) + __expf(x) + __logf(x) + __fdividef(x, 3.0f) + "
             "__powf(x, 2.5f);"),
      [](int i) {
        const double x = static_cast<float>(i) * 0.01F + 0.1F;
        return static_cast<float>(std::sin(x) + std::exp(x) + std::log(x) + x / 3 + std::pow(x, 2.5));
      },
      1e-3);
}
TEST_F(GpuKernels, LargeArgumentsOfSineTakeTheSlowPath) {
  expect_floats(
      floats("out[i] = sinf(in[i] * 1e6f);"),
      [](int i) { return static_cast<float>(std::sin(static_cast<double>(static_cast<float>(i) * 1e6F))); }, 1e-5);
}
TEST_F(GpuKernels, FloatsRoundAsTold) {
  expect_floats(
      floats("float x = (in[i] - 100) * 0.25f; out[i] = __float2int_rn(x) * 1000.0f + __float2int_rz(x) + "
             "__float2int_ru(x) * 0.5f + __float2int_rd(x) * 0.25f + rintf(x) + truncf(x);"),
      [](int i) {
        const float x = (static_cast<float>(i) - 100) * 0.25F;
        return std::rint(x) * 1000 + std::trunc(x) + std::ceil(x) * 0.5F + std::floor(x) * 0.25F + std::rint(x) +
               std::trunc(x);
      },
      1e-6);
}
TEST_F(GpuKernels, NumbersThatAreNone) {
  expect_floats(floats("float q = in[i] == 3 ? nanf(\"\") : in[i]; out[i] = fminf(q, 9) + fmaxf(q, 2) + isnan(q) * 100 "
                       "+ (q != q) * 1000 + (q < 5) * 10 + !(q >= 5) * 20 + copysignf(1, -q);"),
                [](int i) {
                  const float q = i == 3 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i);
                  const float sign = i == 3 ? std::copysign(1.0F, -q) : -1.0F;
                  const float value = std::fmin(q, 9.0F) + std::fmax(q, 2.0F) + (std::isnan(q) ? 1100.0F : 0.0F) +
                                      (q < 5 ? 10.0F : 0.0F) + (!(q >= 5) ? 20.0F : 0.0F);
                  return i == 3 ? value + sign : value - 1.0F;
                });
}
TEST_F(GpuKernels, IntegersBecomeFloatsAndBack) {
  expect_floats(
      floats(
          "int a = (int)in[i] * 16777217; unsigned u = ~0u - i; out[i] = (float)a + (float)u + (float)(unsigned long "
          "long)(a + 5000000000ll) + (int)(in[i] * 1e9f) + (unsigned)(in[i] * -1.0f) + __int_as_float(0x3f800000);"),
      [](int i) {
        const int a = static_cast<int>(static_cast<unsigned>(i) * 16777217U);
        const unsigned u = ~0U - static_cast<unsigned>(i);
        const float big = static_cast<float>(i) * 1e9F;
        const int clamped = big >= 2147483648.0F ? 2147483647 : static_cast<int>(big);
        return static_cast<float>(a) + static_cast<float>(u) +
               static_cast<float>(static_cast<unsigned long long>(a + 5000000000LL)) + static_cast<float>(clamped) +
               0.0F + 1.0F;
      },
      1e-6);
}
TEST_F(GpuKernels, Doubles) {
  const auto got = map<double>("double",
                               "extern \"C\" __global__ void k(const double* in, double* out, int n) { int i = "
                               "blockIdx.x * blockDim.x + threadIdx.x; double x = in[i] * 0.1 + 0.5; out[i] = fma(x, "
                               "x, sqrt(x)) + exp(x * 0.1) + log(x) + floor(x) + pow(x, 0.3) + fmin(x, 3.0); }");
  expect<double>(
      got,
      [](int i) {
        const double x = i * 0.1 + 0.5;
        return std::fma(x, x, std::sqrt(x)) + std::exp(x * 0.1) + std::log(x) + std::floor(x) + std::pow(x, 0.3) +
               std::fmin(x, 3.0);
      },
      1e-12);
}
TEST_F(GpuKernels, VectorsLoadAndStoreAtOnce) {
  expect_floats(
      floats(
          "if (i < n / 4) { float4 v = ((const float4*)in)[i]; ((float4*)out)[i] = make_float4(v.w, v.z, v.y, v.x); }"),
      [](int i) { return static_cast<float>(i / 4 * 4 + 3 - i % 4); });
}
TEST_F(GpuKernels, HalvesAlone) {
  const std::string head = "#include <cuda_fp16.h>\n";
  const auto got =
      map<float>("float", head +
                              "extern \"C\" __global__ void k(const float* in, float* out, int n) { int i = blockIdx.x "
                              "* blockDim.x + threadIdx.x; half a = __float2half(in[i] * 0.25f), b = "
                              "__float2half(1.5f); out[i] = __half2float(__hfma(a, b, __hadd(a, b))); }");
  expect_floats(got, [](int i) {
    return static_cast<float>(
        static_cast<_Float16>(static_cast<double>(i) * 0.25 * 1.5 +
                              static_cast<double>(static_cast<_Float16>(static_cast<float>(i) * 0.25F + 1.5F))));
  });
}
TEST_F(GpuKernels, HalvesInPairs) {
  const std::string head = "#include <cuda_fp16.h>\n";
  const auto got = map<float>(
      "float", head +
                   "extern \"C\" __global__ void k(const float* in, float* out, int n) { int i = blockIdx.x * "
                   "blockDim.x + threadIdx.x; half2 a = __floats2half2_rn(in[i], 2.0f); half2 r = __hmul2(__hadd2(a, "
                   "a), __float2half2_rn(0.5f)); out[i] = __low2float(r) + __high2float(r); }");
  expect_floats(got, [](int i) { return static_cast<float>(i) + 2.0F; });
}
TEST_F(GpuKernels, ATiledProductOfMatrices) {
  const auto id = build(
      "extern \"C\" __global__ void k(const float* a, const float* b, float* c, int n) { __shared__ float x[16][16], "
      "y[16][16]; int r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x; float s = 0;"
      " for (int m = 0; m < n; m += 16) { x[threadIdx.y][threadIdx.x] = a[r * n + m + threadIdx.x]; "
      "y[threadIdx.y][threadIdx.x] = b[(m + threadIdx.y) * n + q]; __syncthreads(); for (int j = 0; j < 16; ++j) s += "
      "x[threadIdx.y][j] * y[j][threadIdx.x]; __syncthreads(); } c[r * n + q] = s; }");
  constexpr std::size_t n = 48;
  std::vector<float> a(n * n), b(n * n);
  for (std::size_t i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5) - 2;
  load({data_of("a", "float", a), data_of("b", "float", b), data_of("c", "float", std::vector<float>(n * n))});
  const auto ran = run(
      id,
      {{"k", {buffer_of("a"), buffer_of("b"), buffer_of("c"), scalar_of(static_cast<int>(n))}, {n, n}, {16, 16}, {}}},
      {"c"});
  const auto got = values_of<float>(ran.outputs.at("c"));
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t q = 0; q < n; ++q) {
      float sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[r * n + j] * b[j * n + q];
      ASSERT_EQ(got[r * n + q], sum) << r << "," << q;
    }
}
TEST_F(GpuKernels, ThreeDimensionsAreCountedAsTheyShould) {
  const auto id = build(
      "extern \"C\" __global__ void k(int* out) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * "
      "blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z; out[(z * gridDim.y * blockDim.y + y) * "
      "gridDim.x * blockDim.x + x] = x + 10 * y + 100 * z; }");
  load({data_of("out", "int", std::vector<int>(4 * 6 * 4))});
  const auto got =
      values_of<int>(run(id, {{"k", {buffer_of("out")}, {4, 6, 4}, {2, 3, 2}, {}}}, {"out"}).outputs.at("out"));
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 4; ++x) ASSERT_EQ(got[static_cast<std::size_t>((z * 6 + y) * 4 + x)], x + 10 * y + 100 * z);
}

}  // namespace
}  // namespace hone
