/* What CUDA and HIP kernels may use without any toolkit: enough declarations to give every expression a type. Nothing here
   is ever run. */
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define HONE_DEVICE __attribute__((device)) __attribute__((host))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define HONE_VECTORS(scalar, name)                                                              \
  struct name##1 { scalar x; };                                                                 \
  struct name##2 { scalar x, y; };                                                              \
  struct name##3 { scalar x, y, z; };                                                           \
  struct name##4 { scalar x, y, z, w; };                                                        \
  HONE_DEVICE name##1 make_##name##1(scalar);                                                   \
  HONE_DEVICE name##2 make_##name##2(scalar, scalar);                                           \
  HONE_DEVICE name##3 make_##name##3(scalar, scalar, scalar);                                   \
  HONE_DEVICE name##4 make_##name##4(scalar, scalar, scalar, scalar);
HONE_VECTORS(signed char, char)
HONE_VECTORS(unsigned char, uchar)
HONE_VECTORS(short, short)
HONE_VECTORS(unsigned short, ushort)
HONE_VECTORS(int, int)
HONE_VECTORS(unsigned int, uint)
HONE_VECTORS(long, long)
HONE_VECTORS(unsigned long, ulong)
HONE_VECTORS(long long, longlong)
HONE_VECTORS(unsigned long long, ulonglong)
HONE_VECTORS(float, float)
HONE_VECTORS(double, double)

struct dim3 {
  unsigned int x, y, z;
  HONE_DEVICE dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1);
};
extern const HONE_DEVICE uint3 threadIdx;
extern const HONE_DEVICE uint3 blockIdx;
extern const HONE_DEVICE dim3 blockDim;
extern const HONE_DEVICE dim3 gridDim;
extern const HONE_DEVICE int warpSize;

struct __half {
  unsigned short bits;
};
typedef __half half;
struct __half2 {
  __half x, y;
};
typedef __half2 half2;

#define HONE_MATH1(name)             \
  HONE_DEVICE float name(float);     \
  HONE_DEVICE double name(double);   \
  HONE_DEVICE float name##f(float);
#define HONE_MATH2(name)                     \
  HONE_DEVICE float name(float, float);      \
  HONE_DEVICE double name(double, double);   \
  HONE_DEVICE float name##f(float, float);
HONE_MATH1(sqrt) HONE_MATH1(rsqrt) HONE_MATH1(cbrt) HONE_MATH1(exp) HONE_MATH1(exp2) HONE_MATH1(exp10) HONE_MATH1(expm1)
HONE_MATH1(log) HONE_MATH1(log2) HONE_MATH1(log10) HONE_MATH1(log1p) HONE_MATH1(sin) HONE_MATH1(cos) HONE_MATH1(tan)
HONE_MATH1(asin) HONE_MATH1(acos) HONE_MATH1(atan) HONE_MATH1(sinh) HONE_MATH1(cosh) HONE_MATH1(tanh) HONE_MATH1(fabs)
HONE_MATH1(floor) HONE_MATH1(ceil) HONE_MATH1(round) HONE_MATH1(trunc) HONE_MATH1(rint) HONE_MATH1(nearbyint)
HONE_MATH1(erf) HONE_MATH1(erfc) HONE_MATH1(tgamma) HONE_MATH1(lgamma)
HONE_MATH2(pow) HONE_MATH2(fmod) HONE_MATH2(fmin) HONE_MATH2(fmax) HONE_MATH2(atan2) HONE_MATH2(hypot)
HONE_MATH2(copysign) HONE_MATH2(remainder) HONE_MATH2(fdim)
HONE_DEVICE float fma(float, float, float);
HONE_DEVICE double fma(double, double, double);
HONE_DEVICE float fmaf(float, float, float);
HONE_DEVICE bool isnan(float);
HONE_DEVICE bool isnan(double);
HONE_DEVICE bool isinf(float);
HONE_DEVICE bool isinf(double);

#define HONE_MINMAX(type)           \
  HONE_DEVICE type min(type, type); \
  HONE_DEVICE type max(type, type);
HONE_MINMAX(int) HONE_MINMAX(unsigned int) HONE_MINMAX(long) HONE_MINMAX(unsigned long) HONE_MINMAX(long long)
HONE_MINMAX(unsigned long long) HONE_MINMAX(float) HONE_MINMAX(double)
HONE_DEVICE int abs(int);
HONE_DEVICE long abs(long);
HONE_DEVICE float abs(float);
HONE_DEVICE double abs(double);
HONE_DEVICE int printf(const char*, ...);

HONE_DEVICE float __expf(float);
HONE_DEVICE float __exp10f(float);
HONE_DEVICE float __logf(float);
HONE_DEVICE float __log2f(float);
HONE_DEVICE float __log10f(float);
HONE_DEVICE float __sinf(float);
HONE_DEVICE float __cosf(float);
HONE_DEVICE float __tanf(float);
HONE_DEVICE float __powf(float, float);
HONE_DEVICE float __fdividef(float, float);
HONE_DEVICE float __fsqrt_rn(float);
HONE_DEVICE float __frcp_rn(float);
HONE_DEVICE float __saturatef(float);
HONE_DEVICE int __mul24(int, int);
HONE_DEVICE unsigned int __umul24(unsigned int, unsigned int);
HONE_DEVICE int __mulhi(int, int);
HONE_DEVICE unsigned int __umulhi(unsigned int, unsigned int);
HONE_DEVICE int __popc(unsigned int);
HONE_DEVICE int __popcll(unsigned long long);
HONE_DEVICE int __clz(int);
HONE_DEVICE int __clzll(long long);
HONE_DEVICE int __ffs(int);
HONE_DEVICE unsigned int __brev(unsigned int);
HONE_DEVICE int __float_as_int(float);
HONE_DEVICE unsigned int __float_as_uint(float);
HONE_DEVICE float __int_as_float(int);
HONE_DEVICE float __uint_as_float(unsigned int);
HONE_DEVICE int __float2int_rn(float);
HONE_DEVICE int __float2int_rz(float);
HONE_DEVICE float __int2float_rn(int);

__device__ void __syncthreads(); /* Clang knows it as a builtin of the device alone */
HONE_DEVICE void __syncwarp(unsigned int mask);
HONE_DEVICE void __syncwarp();
HONE_DEVICE void __threadfence();
HONE_DEVICE void __threadfence_block();
HONE_DEVICE int __syncthreads_or(int);
HONE_DEVICE int __syncthreads_and(int);
HONE_DEVICE int __syncthreads_count(int);
HONE_DEVICE unsigned int __activemask();
HONE_DEVICE unsigned int __ballot_sync(unsigned int, int);
HONE_DEVICE int __any_sync(unsigned int, int);
HONE_DEVICE int __all_sync(unsigned int, int);

#define HONE_ATOMIC(name, type) HONE_DEVICE type name(type*, type);
#define HONE_ATOMICS(type)                                                                                        \
  HONE_ATOMIC(atomicAdd, type) HONE_ATOMIC(atomicSub, type) HONE_ATOMIC(atomicMin, type) HONE_ATOMIC(atomicMax, type) \
  HONE_ATOMIC(atomicAnd, type) HONE_ATOMIC(atomicOr, type) HONE_ATOMIC(atomicXor, type) HONE_ATOMIC(atomicExch, type) \
  HONE_DEVICE type atomicCAS(type*, type, type);
HONE_ATOMICS(int) HONE_ATOMICS(unsigned int) HONE_ATOMICS(unsigned long long)
HONE_ATOMIC(atomicAdd, float) HONE_ATOMIC(atomicAdd, double) HONE_ATOMIC(atomicExch, float)

#define HONE_PER_TYPE(type)                                                      \
  HONE_DEVICE type __ldg(const type*);                                           \
  HONE_DEVICE type __shfl_sync(unsigned int, type, int);                         \
  HONE_DEVICE type __shfl_down_sync(unsigned int, type, unsigned int);           \
  HONE_DEVICE type __shfl_up_sync(unsigned int, type, unsigned int);             \
  HONE_DEVICE type __shfl_xor_sync(unsigned int, type, int);                     \
  HONE_DEVICE type __shfl(type, int);                                            \
  HONE_DEVICE type __shfl_down(type, unsigned int);                              \
  HONE_DEVICE type __shfl_up(type, unsigned int);                                \
  HONE_DEVICE type __shfl_xor(type, int);
HONE_PER_TYPE(int) HONE_PER_TYPE(unsigned int) HONE_PER_TYPE(long) HONE_PER_TYPE(unsigned long) HONE_PER_TYPE(long long)
HONE_PER_TYPE(unsigned long long) HONE_PER_TYPE(float) HONE_PER_TYPE(double)
HONE_DEVICE float4 __ldg(const float4*);
HONE_DEVICE float2 __ldg(const float2*);
HONE_DEVICE int4 __ldg(const int4*);

#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_E 2.7182818284590452354
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623157e+308
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 0xffffffffu
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define NULL 0
