/* CUDA's and HIP's words for kernels on this processor: the threads of a block are fibers that take turns at barriers,
 * blocks follow one another. Answers only: times mean nothing, and races, memory and limits are not watched. 32 lanes.
 */
#pragma once

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static
#define __managed__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define CUDART_INF_F INFINITY
#define HIP_DYNAMIC_SHARED(type, name) static type* name = (type*)emulation::dynamic_memory;

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

#define EMULATED_VECTOR(type, name, bytes)                                           \
  struct alignas(2 * bytes) name##2 { type x, y; };                                  \
  struct name##3 { type x, y, z; };                                                  \
  struct alignas(4 * bytes > 16 ? 16 : 4 * bytes) name##4 { type x, y, z, w; };      \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EMULATED_VECTOR(float, float, 4)
EMULATED_VECTOR(double, double, 8)
EMULATED_VECTOR(int, int, 4)
EMULATED_VECTOR(unsigned, uint, 4)
EMULATED_VECTOR(short, short, 2)
EMULATED_VECTOR(unsigned short, ushort, 2)
EMULATED_VECTOR(signed char, char, 1)
EMULATED_VECTOR(unsigned char, uchar, 1)
EMULATED_VECTOR(long, long, 8)
EMULATED_VECTOR(unsigned long, ulong, 8)

namespace emulation {

template <class T>
struct plain_of {
  typedef T type;
};
template <class T>
struct plain_of<const T> {
  typedef T type;
};
template <class T>
using plain = typename plain_of<T>::type;
template <size_t... At>
struct indices {};
template <size_t N, size_t... At>
struct indices_to {
  typedef typename indices_to<N - 1, N - 1, At...>::type type;
};
template <size_t... At>
struct indices_to<0, At...> {
  typedef indices<At...> type;
};
template <size_t N>
typename indices_to<N>::type make_indices() {
  return {};
}

template <class T>
struct pointer_to {
  typedef T* type;
};
struct from_memory {
  alignas(128) char bytes[256 << 10];
  template <class T>
  operator T*() {
    return reinterpret_cast<T*>(bytes);
  }
};
static from_memory dynamic_memory;

enum Wait { RUNS, AT_BLOCK, AT_WARP, ENDED };
enum Exchange { NOTHING, SHUFFLE, VOTE };

struct Thread {
  dim3 index;
  Wait wait;
  Exchange exchange;
  unsigned mask;
  bool without_mask;
  int source;
  uint64_t value, result;
  ucontext_t* fiber;
};

enum { MOST_THREADS = 1024, LANES = 32, STACK = 64 << 10 };
static Thread threads[MOST_THREADS];
static Thread* self;
static int count, next_thread;
static unsigned block_votes; /* of the last barrier that counted */
static dim3 block_index, block_size, grid_size;
static ucontext_t scheduler, fibers[MOST_THREADS];
static char* stacks[MOST_THREADS];
static const void* function;
static void (*call)(const void*, void**);
static void** values;

/* Until the scheduler lets this thread go on. */
static inline void pause(Wait wait) {
  Thread* me = self;
  me->wait = wait;
  swapcontext(me->fiber, &scheduler);
}

/* A fiber whose thread has ended takes the next one: most kernels need one fiber only. */
static void fiber_body(int which) {
  while (next_thread < count) {
    self = &threads[next_thread++];
    self->fiber = &fibers[which];
    self->wait = RUNS;
    call(function, values);
    self->wait = ENDED;
  }
}

static void start_fiber(int which) {
  if (stacks[which] == NULL) stacks[which] = static_cast<char*>(malloc(STACK));
  getcontext(&fibers[which]);
  fibers[which].uc_stack.ss_sp = stacks[which];
  fibers[which].uc_stack.ss_size = STACK;
  fibers[which].uc_link = &scheduler;
  makecontext(&fibers[which], reinterpret_cast<void (*)()>(fiber_body), 1, which);
  swapcontext(&scheduler, &fibers[which]);
}

static bool release_block() {
  unsigned live = 0, waiting = 0, votes = 0;
  for (int t = 0; t < count; ++t) {
    live += threads[t].wait != ENDED;
    waiting += threads[t].wait == AT_BLOCK;
    votes += threads[t].wait == AT_BLOCK && threads[t].value != 0;
  }
  if (live == 0 || waiting < live) return false;
  block_votes = votes;
  for (int t = 0; t < count; ++t)
    if (threads[t].wait == AT_BLOCK) {
      threads[t].result = (uint64_t)votes << 32 | waiting;
      threads[t].wait = RUNS;
    }
  return true;
}

/* Lanes that name each other; without masks all that are there, at the latest when nobody else can go on. */
static bool release_lanes(Thread* warp, int lanes, bool late) {
  for (int leader = 0; leader < lanes; ++leader) {
    if (warp[leader].wait != AT_WARP) continue;
    const unsigned mask = warp[leader].mask;
    unsigned here = 0, missing = 0, votes = 0;
    for (int l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0 || warp[l].wait == ENDED) continue;
      (warp[l].wait == AT_WARP && warp[l].mask == mask ? here : missing) |= 1u << l;
    }
    if (missing != 0 && !(late && warp[leader].without_mask)) continue;
    for (int l = 0; l < lanes; ++l)
      if ((here >> l & 1) != 0 && warp[l].value != 0) votes |= 1u << l;
    for (int l = 0; l < lanes; ++l) {
      if ((here >> l & 1) == 0) continue;
      const int source = warp[l].source;
      const bool known = source >= 0 && source < lanes && (here >> source & 1) != 0;
      warp[l].result = warp[l].exchange == VOTE ? (uint64_t)here << 32 | votes
                       : known                  ? warp[source].value
                                                : warp[l].value;
    }
    for (int l = 0; l < lanes; ++l)
      if ((here >> l & 1) != 0) warp[l].wait = RUNS;
    return true;
  }
  return false;
}

static bool release(bool late) {
  bool any = release_block();
  for (int first = 0; first < count; first += LANES)
    while (release_lanes(threads + first, count - first < LANES ? count - first : LANES, late)) any = true;
  return any;
}

static bool run_block() {
  int started = 0;
  next_thread = 0;
  for (int t = 0; t < count; ++t) {
    memset(&threads[t], 0, sizeof threads[t]);
    threads[t].index = dim3(t % block_size.x, t / block_size.x % block_size.y, t / block_size.x / block_size.y);
  }
  while (next_thread < count) start_fiber(started++);
  for (;;) {
    bool ended = true, ran = false;
    for (int t = 0; t < count; ++t) {
      if (threads[t].wait == RUNS) {
        self = &threads[t];
        ran = true;
        swapcontext(&scheduler, self->fiber);
      }
      ended = ended && threads[t].wait == ENDED;
    }
    if (ended) return true;
    if (!release(false) && !ran && !release(true)) return false;
  }
}

static int run(const void* f, void (*c)(const void*, void**), const unsigned* grid, const unsigned* block,
               size_t shared, void** v) {
  function = f, call = c, values = v;
  grid_size = dim3(grid[0], grid[1], grid[2]);
  block_size = dim3(block[0], block[1], block[2]);
  if ((uint64_t)block[0] * block[1] * block[2] > MOST_THREADS || shared > sizeof dynamic_memory.bytes) return 1;
  count = (int)(block[0] * block[1] * block[2]);
  for (unsigned z = 0; z < grid[2]; ++z)
    for (unsigned y = 0; y < grid[1]; ++y)
      for (unsigned x = 0; x < grid[0]; ++x) {
        block_index = dim3(x, y, z);
        if (!run_block()) return 2;
      }
  return 0;
}

template <class T>
static inline uint64_t bits_of(T value) {
  uint64_t out = 0;
  memcpy(&out, &value, sizeof value);
  return out;
}
template <class T>
static inline T of_bits(uint64_t bits) {
  T out;
  memcpy(&out, &bits, sizeof out);
  return out;
}
static inline int lane() { return (int)(self - threads) % LANES; }
static inline uint64_t exchange(Exchange what, unsigned mask, bool without_mask, int source, uint64_t value) {
  self->exchange = what, self->mask = mask, self->without_mask = without_mask, self->source = source,
  self->value = value;
  pause(AT_WARP);
  return self->result;
}
static inline uint64_t barrier(uint64_t value) {
  self->value = value;
  pause(AT_BLOCK);
  return self->result;
}
/* Where a loop waits for another thread, that thread must have its turn. */
static inline void give_way() {
  static unsigned turns = 0;
  if (++turns % 16 == 0) swapcontext(self->fiber, &scheduler);
}
static inline int segment(int lane, int width) { return lane / width * width; }

}  // namespace emulation

#define EMULATED_POINTER(...) typename emulation::pointer_to<__VA_ARGS__>::type
#define threadIdx (emulation::self->index)
#define blockIdx (emulation::block_index)
#define blockDim (emulation::block_size)
#define gridDim (emulation::grid_size)
static const int warpSize = emulation::LANES;
#include "hip_words.h"

static inline void __syncthreads() { emulation::barrier(0); }
static inline int __syncthreads_count(int p) { return (int)(emulation::barrier(p != 0) >> 32); }
static inline int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
static inline int __syncthreads_and(int p) {
  const uint64_t both = emulation::barrier(p != 0);
  return both >> 32 == (both & 0xFFFFFFFFu);
}
static inline void __syncwarp(unsigned mask = ~0u) { emulation::exchange(emulation::VOTE, mask, false, 0, 0); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
static inline unsigned __activemask() { return ~0u; }

#define EMULATED_SHUFFLE(name, type, expression)                                                  \
  template <class T>                                                                              \
  static inline T __##name##_sync(unsigned mask, T v, type a, int width = 32) {                   \
    const int l = emulation::lane(), first = emulation::segment(l, width), last = first + width;  \
    (void)first, (void)last;                                                                      \
    return emulation::of_bits<T>(                                                                 \
        emulation::exchange(emulation::SHUFFLE, mask, false, expression, emulation::bits_of(v))); \
  }                                                                                               \
  template <class T>                                                                              \
  static inline T __##name(T v, type a, int width = 32) {                                         \
    const int l = emulation::lane(), first = emulation::segment(l, width), last = first + width;  \
    (void)first, (void)last;                                                                      \
    return emulation::of_bits<T>(                                                                 \
        emulation::exchange(emulation::SHUFFLE, ~0u, true, expression, emulation::bits_of(v)));   \
  }
EMULATED_SHUFFLE(shfl, int, first + (a & (width - 1)))
EMULATED_SHUFFLE(shfl_up, unsigned, l - (int)a < first ? l : l - (int)a)
EMULATED_SHUFFLE(shfl_down, unsigned, l + (int)a >= last ? l : l + (int)a)
EMULATED_SHUFFLE(shfl_xor, int, (l ^ a) >= last ? l : l ^ a)
static inline unsigned __ballot_sync(unsigned m, int p) {
  return (unsigned)emulation::exchange(emulation::VOTE, m, false, 0, p != 0);
}
static inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
static inline int __all_sync(unsigned m, int p) {
  const uint64_t both = emulation::exchange(emulation::VOTE, m, false, 0, p != 0);
  return both >> 32 == (both & 0xFFFFFFFFu);
}
static inline unsigned long long __ballot(int p) {
  return (unsigned)emulation::exchange(emulation::VOTE, ~0u, true, 0, p != 0);
}
static inline int __any(int p) { return __ballot(p) != 0; }
static inline int __all(int p) {
  const uint64_t both = emulation::exchange(emulation::VOTE, ~0u, true, 0, p != 0);
  return both >> 32 == (both & 0xFFFFFFFFu);
}

#define EMULATED_ATOMIC(name, result)    \
  template <class T, class V>            \
  static inline T name(T* at, V value) { \
    const T old = *at, v = (T)value;     \
    *at = (T)(result);                   \
    return old;                          \
  }
EMULATED_ATOMIC(atomicAdd, old + v)
EMULATED_ATOMIC(unsafeAtomicAdd, old + v)
EMULATED_ATOMIC(atomicSub, old - v)
EMULATED_ATOMIC(atomicMin, v < old ? v : old)
EMULATED_ATOMIC(atomicMax, v > old ? v : old)
EMULATED_ATOMIC(atomicAnd, old& v)
EMULATED_ATOMIC(atomicOr, old | v)
EMULATED_ATOMIC(atomicXor, old ^ v)
EMULATED_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
EMULATED_ATOMIC(atomicDec, old == 0 || old > v ? v : old - 1)
template <class T, class V>
static inline T atomicExch(T* at, V value) {
  const T old = *at;
  *at = (T)value;
  emulation::give_way();
  return old;
}
template <class T, class A, class B>
static inline T atomicCAS(T* at, A compare, B value) {
  const T old = *at;
  if (old == (T)compare)
    *at = (T)value;
  else
    emulation::give_way();
  return old;
}

/* Blocks run one after the other: all scopes are one. */
#define EMULATED_SCOPES(name)                                                          \
  template <class... A>                                                                \
  static inline auto name##_system(A... a) -> decltype(name(a...)) {                   \
    return name(a...);                                                                 \
  }                                                                                    \
  template <class... A>                                                                \
  static inline auto name##_block(A... a) -> decltype(name(a...)) {                    \
    return name(a...);                                                                 \
  }
EMULATED_SCOPES(atomicAdd)
EMULATED_SCOPES(atomicSub)
EMULATED_SCOPES(atomicMin)
EMULATED_SCOPES(atomicMax)
EMULATED_SCOPES(atomicAnd)
EMULATED_SCOPES(atomicOr)
EMULATED_SCOPES(atomicXor)
EMULATED_SCOPES(atomicInc)
EMULATED_SCOPES(atomicDec)
EMULATED_SCOPES(atomicExch)
EMULATED_SCOPES(atomicCAS)

template <class A, class B>
static inline auto min(A a, B b) -> decltype(a + b) {
  return b < a ? b : a;
}
template <class A, class B>
static inline auto max(A a, B b) -> decltype(a + b) {
  return a < b ? b : a;
}
template <class T>
static inline T __ldg(const T* at) {
  return *at;
}
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
#define __expf(x) expf(x)
#define __exp10f(x) powf(10, x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define __tanf(x) tanf(x)
#define __fsqrt_rn(x) sqrtf(x)
#define __frcp_rn(x) (1.0f / (x))
#define __fmaf_rn(a, b, c) fmaf(a, b, c)
#define __fmul_rn(a, b) ((float)((a) * (b)))
#define __fadd_rn(a, b) ((float)((a) + (b)))
#define __mul24(a, b) ((a) * (b))
#define __umul24(a, b) ((a) * (b))
static inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline unsigned __brev(unsigned x) {
  unsigned out = 0;
  for (int i = 0; i < 32; ++i) out |= (x >> i & 1) << (31 - i);
  return out;
}
static inline float __int_as_float(int x) { return emulation::of_bits<float>((unsigned)x); }
static inline int __float_as_int(float x) { return emulation::of_bits<int>(emulation::bits_of(x)); }
static inline float __uint_as_float(unsigned x) { return emulation::of_bits<float>(x); }
static inline unsigned __float_as_uint(float x) { return emulation::of_bits<unsigned>(emulation::bits_of(x)); }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rd(float x) { return (int)floorf(x); }

/* What entries.h asks of a device. */
typedef int emulatedError_t;
typedef int emulatedEvent_t;
struct emulatedDeviceProp_t {
  char name[256];
};
enum { emulatedMemcpyDefault };
static inline const char* emulatedGetErrorString(int status) {
  return status == 1   ? "more threads or shared memory than a block has"
         : status == 2 ? "a barrier or an exchange that not all of its threads reach"
                       : "failed";
}
static inline int emulatedGetDeviceCount(int* count) { return *count = 1, 0; }
static inline int emulatedGetDeviceProperties(emulatedDeviceProp_t* out, int) {
  strcpy(out->name, "emulation on this processor: answers, and no times that mean anything");
  return 0;
}
static inline int emulatedSetDevice(int) { return 0; }
static inline int emulatedEventCreate(int*) { return 0; }
static inline int emulatedEventRecord(int, int) { return 0; }
static inline int emulatedEventElapsedTime(float* time, int, int) { return *time = 0, 0; }
static inline int emulatedDeviceSynchronize() { return 0; }
static inline int emulatedMalloc(void** out, size_t bytes) { return (*out = malloc(bytes)) == NULL; }
static inline int emulatedFree(void* memory) { return free(memory), 0; }
static inline int emulatedMemcpy(void* to, const void* from, size_t bytes, int) { return memcpy(to, from, bytes), 0; }
template <class T>
static inline int emulatedGetSymbolAddress(void** out, const T& variable) {
  return *out = (void*)&variable, 0;
}
