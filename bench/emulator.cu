// What bench/emulator times: one line of JSON. Every kernel's answer is checked, so that nothing is timed that did not
// happen.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kTimes = 256, kThreads = 256, kBlocks = 8, kSide = 256, kTile = 16;

__global__ void plain(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kTimes; ++i) x = x * 0.5f + 1.0f;
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}
__global__ void barriers(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kTimes; ++i) {
    x = x * 0.5f + 1.0f;
    __syncthreads();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}
__global__ void shuffles(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kTimes; ++i) {
    x = x * 0.5f + 1.0f;
    x = __shfl_xor_sync(0xffffffffu, x, 0);
  }
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}
__global__ void votes(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kTimes; ++i) {
    x = x * 0.5f + 1.0f;
    if (__any_sync(0xffffffffu, x < 0.0f)) x = 0.0f;
  }
  out[blockIdx.x * kThreads + threadIdx.x] = x;
}
__global__ void naive(const float* a, const float* b, float* c) {
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
  c[row * kSide + column] = sum;
}
__global__ void tiled(const float* a, const float* b, float* c) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < kSide; t += kTile) {
    left[threadIdx.y][threadIdx.x] = a[row * kSide + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * kSide + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kSide + column] = sum;
}

static void product(const float* a, const float* b, float* c) {
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      float sum = 0;
      for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
      c[row * kSide + column] = sum;
    }
}

/// The second time: the first launch of a kernel compiles it.
template <class F>
double milliseconds(F what) {
  double out = 0;
  for (int i = 0; i < 2; ++i) {
    const auto start = std::chrono::steady_clock::now();
    what();
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
    out = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return out;
}

static void same(const float* got, const float* wanted, int count) {
  for (int i = 0; i < count; ++i)
    if (!(std::fabs(got[i] - wanted[i]) <= 1e-4f * (1.0f + std::fabs(wanted[i])))) std::exit(3);
}

int main() {
  const int threads = kThreads * kBlocks, count = kSide * kSide;
  float *x, *y, *a, *b, *c;
  cudaMallocManaged(&x, threads * sizeof(float));
  cudaMallocManaged(&y, threads * sizeof(float));
  cudaMallocManaged(&a, count * sizeof(float));
  cudaMallocManaged(&b, count * sizeof(float));
  cudaMallocManaged(&c, count * sizeof(float));
  for (int i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i % 7) - 3.0f;
    b[i] = static_cast<float>(i % 5) * 0.25f;
  }
  const double each = 1e6 / (static_cast<double>(threads) * kTimes);
  const double base = milliseconds([&] { plain<<<kBlocks, kThreads>>>(x); });
  const double barrier = milliseconds([&] { barriers<<<kBlocks, kThreads>>>(y); });
  same(y, x, threads);
  const double shuffle = milliseconds([&] { shuffles<<<kBlocks, kThreads>>>(y); });
  same(y, x, threads);
  const double vote = milliseconds([&] { votes<<<kBlocks, kThreads>>>(y); });
  same(y, x, threads);
  std::vector<float> wanted(count);
  const double loop = milliseconds([&] { product(a, b, wanted.data()); });
  const dim3 grid(kSide / kTile, kSide / kTile), block(kTile, kTile);
  const double simple = milliseconds([&] { naive<<<grid, block>>>(a, b, c); });
  same(c, wanted.data(), count);
  const double tiles = milliseconds([&] { tiled<<<grid, block>>>(a, b, c); });
  same(c, wanted.data(), count);
  std::printf("{\"plain_ns\": %g, \"barrier_ns\": %g, \"shuffle_ns\": %g, \"vote_ns\": %g, \"loop_ms\": %g, \"naive_ms\": %g, \"tiled_ms\": %g}\n",
              base * each, (barrier - base) * each, (shuffle - base) * each, (vote - base) * each, loop, simple, tiles);
}
