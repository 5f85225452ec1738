// In front of every translated kernel, behind abi.h: registers hold raw bits, these turn them into numbers and back.
static inline float F(u32 bits) { return __builtin_bit_cast(float, bits); }
static inline double D(u64 bits) { return __builtin_bit_cast(double, bits); }
static inline float H(u16 bits) { return (float)__builtin_bit_cast(_Float16, bits); }
static inline float BF(u16 bits) { return F((u32)bits << 16); }
static inline u32 FB(float value) { return __builtin_bit_cast(u32, value); }
static inline u64 DB(double value) { return __builtin_bit_cast(u64, value); }
static inline u16 HB(double value) { return __builtin_bit_cast(u16, (_Float16)value); }
static inline u16 BB(float value) {
  u32 bits = FB(value);
  if (value != value) return 0x7FFF;
  return (u16)((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}
static inline float Z(float value) {
  return __builtin_fabsf(value) < 1.17549435e-38f ? __builtin_copysignf(0.0f, value) : value;
}
static inline float sat(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
static inline double sat(double x) { return x > 0 ? (x < 1 ? x : 1.0) : 0.0; }
static inline float minf(float a, float b) { return __builtin_fminf(a, b); }
static inline float maxf(float a, float b) { return __builtin_fmaxf(a, b); }

template <class To>
static inline To to_int(double x) {
  constexpr bool is_signed = (To)-1 < (To)0;
  constexpr int bits = sizeof(To) * 8;
  if (x != x) return bits == 64 ? (To)((u64)1 << 63) : 0;
  const double high = is_signed ? __builtin_ldexp(1.0, bits - 1) : __builtin_ldexp(1.0, bits);
  if (x >= high) return is_signed ? (To)(((u64)1 << (bits - 1)) - 1) : (To)~(To)0;
  if (is_signed ? x < -high : x <= -1.0) return is_signed ? (To)((u64)1 << (bits - 1)) : 0;
  return (To)x;
}
template <class To, class From>
static inline To clamp_int(From x) {
  constexpr bool is_signed = (To)-1 < (To)0;
  constexpr int bits = sizeof(To) * 8;
  const __int128 high = is_signed ? ((__int128)1 << (bits - 1)) - 1 : ((__int128)1 << bits) - 1;
  const __int128 low = is_signed ? -high - 1 : 0;
  return (To)((__int128)x > high ? high : (__int128)x < low ? low : (__int128)x);
}

/// Rounded towards zero, down or up. Volatile, so that nothing is computed before the mode is set or after it is not.
enum Rounded { kAdd, kSubtract, kMultiply, kFma, kDivide, kRoot };
template <class T>
static T directed(u32 mode, Rounded op, T a, T b, T c) {  // mode: 1 down, 2 up, 3 towards zero
  volatile T x = a, y = b, z = c;
  const u32 before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr((before & ~0x6000u) | mode << 13);
  volatile T r = op == kAdd        ? x + y
                 : op == kSubtract ? x - y
                 : op == kMultiply ? x * y
                 : op == kDivide   ? x / y
                 : op == kRoot     ? (sizeof(T) == 4 ? (T)__builtin_sqrtf(x) : (T)__builtin_sqrt(x))
                 : sizeof(T) == 4  ? (T)__builtin_fmaf(x, y, z)
                                   : (T)__builtin_fma(x, y, z);
  __builtin_ia32_ldmxcsr(before);
  return r;
}

/// The same for a conversion to a number with fewer digits.
template <class To, class From>
static To converted(u32 mode, From a) {
  volatile From x = a;
  const u32 before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr((before & ~0x6000u) | mode << 13);
  volatile To r = (To)x;
  __builtin_ia32_ldmxcsr(before);
  return r;
}

static inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  if (table & 1) r |= ~a & ~b & ~c;
  if (table & 2) r |= ~a & ~b & c;
  if (table & 4) r |= ~a & b & ~c;
  if (table & 8) r |= ~a & b & c;
  if (table & 16) r |= a & ~b & ~c;
  if (table & 32) r |= a & ~b & c;
  if (table & 64) r |= a & b & ~c;
  if (table & 128) r |= a & b & c;
  return r;
}
static inline u32 prmt(u32 a, u32 b, u32 selector) {
  const u64 both = (u64)b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 pick = selector >> (4 * i) & 15;
    u32 byte = (u32)(both >> (8 * (pick & 7))) & 255;
    if (pick & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * i);
  }
  return r;
}
template <class T>
static inline T shl(T a, u32 n) { return n >= sizeof(T) * 8 ? 0 : (T)(a << n); }
template <class T>
static inline T shr(T a, u32 n) {
  if (n >= sizeof(T) * 8) return a < 0 ? (T)-1 : (T)0;
  return (T)(a >> n);
}
template <class T>
static inline T bfe(T a, u32 at, u32 count) {  // T signed: the sign of the field is kept
  constexpr u32 bits = sizeof(T) * 8;
  at &= 255, count &= 255;
  if (count == 0) return 0;
  const bool is_signed = (T)-1 < (T)0;
  const u32 top = at + count - 1 < bits - 1 ? at + count - 1 : bits - 1;
  const bool sign = is_signed && ((u64)a >> top & 1);
  u64 r = 0;
  for (u32 i = 0; i < bits; ++i) r |= (u64)(i < count && at + i < bits ? ((u64)a >> (at + i)) & 1 : sign) << i;
  return (T)r;
}
template <class T>
static inline T bfi(T a, T b, u32 at, u32 count) {
  constexpr u32 bits = sizeof(T) * 8;
  at &= 255, count &= 255;
  T r = b;
  for (u32 i = 0; i < count && at + i < bits; ++i) r = (T)((r & ~((T)1 << (at + i))) | ((a >> i) & 1) << (at + i));
  return r;
}
template <class T>
static inline u32 bfind(T a, bool shift) {
  constexpr int bits = sizeof(T) * 8;
  u64 v = (u64)a;
  if ((T)-1 < (T)0 && a < 0) v = ~v;
  if (bits < 64) v &= ((u64)1 << (bits & 63)) - 1;
  if (v == 0) return ~0u;
  const int at = 63 - __builtin_clzll(v);
  return shift ? bits - 1 - at : at;
}
template <class T>
static inline T brev(T a) {
  T r = 0;
  for (u32 i = 0; i < sizeof(T) * 8; ++i) r = (T)(r << 1 | ((a >> i) & 1));
  return r;
}
static inline u32 shf(bool left, bool clamp, u32 a, u32 b, u32 n) {
  n = clamp ? (n > 32 ? 32 : n) : n & 31;
  const u64 both = (u64)b << 32 | a;
  return left ? (u32)(n == 32 ? a : (both << n) >> 32) : (u32)(n == 32 ? b : both >> n);
}
static inline int dp4(int sum, u32 a, u32 b, bool sa, bool sb) {
  for (int i = 0; i < 4; ++i) {
    const int x = sa ? (int)(s8)(a >> 8 * i) : (int)(u8)(a >> 8 * i);
    sum += x * (sb ? (int)(s8)(b >> 8 * i) : (int)(u8)(b >> 8 * i));
  }
  return sum;
}
template <class Op>
static inline u32 pairs(u32 a, u32 b, u32 c, Op op) {
  return (u32)op((u16)a, (u16)b, (u16)c) | (u32)op((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)) << 16;
}

// What is watched for races is compiled so.
#ifdef HONE_WATCHED
#define HONE_TOUCH(p, bytes, kind) t->calls->touch(t, (u64)(p), bytes, kind)
#else
#define HONE_TOUCH(p, bytes, kind) ((void)0)
#endif
#define HONE_WRITES(p, v) HONE_TOUCH(&(p), sizeof(p), (p) == (v) ? kHoneSilentWrite : kHoneWrite)

/// Of global or generic memory, within an allocation and aligned, or the kernel ends here.
template <class T>
static inline T* at(HoneThread* t, u64 address, u32 bytes, HoneRange* range) {
  if (__builtin_expect(address < range->begin || address + bytes > range->end, 0))
    t->calls->locate(t, address, bytes, range);
  if (__builtin_expect(address & (bytes - 1), 0)) t->calls->fault(t, kHoneAlignment, address, "");
  return (T*)address;
}
template <class T>
static inline T* at_shared(HoneThread* t, u64 address, u32 bytes) {
  const u32 offset = (u32)address;
  if (__builtin_expect((u64)offset + bytes > t->shared_bytes, 0))
    t->calls->fault(t, kHoneAddress, offset, "outside of the block's shared memory");
  if (__builtin_expect(offset & (bytes - 1), 0)) t->calls->fault(t, kHoneAlignment, offset, "in shared memory");
  return (T*)(t->shared + offset);
}
extern "C" {
float sinf(float); float cosf(float); float exp2f(float); float log2f(float); float tanhf(float); float sqrtf(float);
double sqrt(double); double exp2(double); float rintf(float); float floorf(float); float ceilf(float); float truncf(float);
double rint(double); double floor(double); double ceil(double); double trunc(double);
}
