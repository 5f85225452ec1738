#include "device/gpu/headers.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "embedded/hone_device.hpp"

namespace hone::device::gpu {
namespace {

constexpr const char* kNothing = "\n";

constexpr const char* kIntegers = R"(#pragma once
#ifdef __HIPCC_RTC__  // which has some of them already, as these types
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
typedef long int64_t;
typedef unsigned long uint64_t;
#endif
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
}
)";

constexpr const char* kFloats = R"(#pragma once
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38F
#endif
#ifndef FLT_MIN
#define FLT_MIN 1.175494351e-38F
#endif
#ifndef FLT_EPSILON
#define FLT_EPSILON 1.192092896e-07F
#endif
#ifndef DBL_MAX
#define DBL_MAX 1.7976931348623158e+308
#endif
#ifndef DBL_MIN
#define DBL_MIN 2.2250738585072014e-308
#endif
#ifndef DBL_EPSILON
#define DBL_EPSILON 2.2204460492503131e-16
#endif
)";

constexpr const char* kLimits = R"(#pragma once
#ifndef CHAR_BIT
#define CHAR_BIT 8
#endif
#ifndef INT_MAX
#define INT_MAX 2147483647
#endif
#ifndef INT_MIN
#define INT_MIN (-INT_MAX - 1)
#endif
#ifndef UINT_MAX
#define UINT_MAX 4294967295U
#endif
#ifndef LONG_MAX
#define LONG_MAX 9223372036854775807L
#endif
#ifndef LLONG_MAX
#define LLONG_MAX 9223372036854775807LL
#endif
)";

constexpr const char* kMath = R"(#pragma once
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
)";

constexpr const char* kAssert = R"(#pragma once
#ifdef NDEBUG
#define assert(e) ((void)0)
#elif defined(__HIPCC_RTC__)
#define assert(e) ((e) ? (void)0 : __builtin_trap())
#else
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, sizeof(char)))
#endif
)";

constexpr auto kHeaders = std::to_array<Header>({
    {"stdint.h", kIntegers}, {"cstdint", kIntegers}, {"float.h", kFloats},   {"cfloat", kFloats},
    {"limits.h", kLimits},   {"climits", kLimits},   {"math.h", kMath},      {"cmath", kMath},
    {"assert.h", kAssert},   {"cassert", kAssert},   {"stdio.h", kNothing},  {"cstdio", kNothing},
    {"stdlib.h", kNothing},  {"cstdlib", kNothing},  {"string.h", kNothing}, {"cstring", kNothing},
    {"stddef.h", kNothing},  {"cstddef", kNothing},  {"iostream", kNothing},
});

/// What nvcc puts in front of every source: much of the host's own comes with it.
constexpr const char* kCudaRuntime = R"(#pragma once
#include <limits.h>
#include <float.h>
#include <math.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
)";

constexpr const char* kNumericLimits = R"(#pragma once
#include <cuda/std/limits>
namespace std {
using cuda::std::numeric_limits;
}
)";
constexpr const char* kTypeTraits = R"(#pragma once
#include <cuda/std/type_traits>
namespace std {
using namespace cuda::std;
}
)";

constexpr const char* kHalf = "#include <cuda_fp16.h>\n";
/// hipcc's own includes much of the host, and has words of old that hipRTC's has not.
constexpr const char* kHipRuntime = R"(#pragma once
#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <math.h>
#ifndef HIP_DYNAMIC_SHARED
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#endif
#include <hip_words.h>
)";

}  // namespace

std::span<const Header> host_headers(Vendor vendor) {
  static const std::string words(embedded::emulator_hip_words_h);
  static const std::vector<Header> nvidia = [] {
    static const std::string hip(embedded::emulator_hip_h);
    std::vector<Header> out(kHeaders.begin(), kHeaders.end());
    for (const auto* name : {"cuda.h", "device_launch_parameters.h"}) out.push_back({name, kNothing});
    out.push_back({"cuda_runtime.h", kCudaRuntime});
    out.push_back({"limits", kNumericLimits});
    out.push_back({"type_traits", kTypeTraits});
    out.push_back({"hip/hip_runtime.h", hip.c_str()});
    out.push_back({"hip_words.h", words.c_str()});
    out.push_back({"hip/hip_fp16.h", kHalf});
    return out;
  }();
  static const std::vector<Header> amd = [] {
    std::vector<Header> out(kHeaders.begin(), kHeaders.end());
    out.push_back({"hip/hip_runtime.h", kHipRuntime});
    out.push_back({"hip_words.h", words.c_str()});
    for (const auto* name :
         {"hip/hip_runtime_api.h", "hip/hip_fp16.h", "hip/hip_vector_types.h", "hip/math_functions.h"})
      out.push_back({name, kNothing});
    return out;
  }();
  return vendor == Vendor::Nvidia ? nvidia : amd;
}

std::string with_cuda_header(const std::string& source) {
  static constexpr std::array<std::string_view, 4> integers = {"int8_t", "int16_t", "int32_t", "int64_t"};
  const bool has_integers =
      std::ranges::any_of(integers, [&](std::string_view word) { return source.find(word) != std::string::npos; });
  return std::string("#include <cuda_runtime.h>\n") + (has_integers ? "#include <stdint.h>\n" : "") +
         "#line 1 \"kernel.cu\"\n" + source;
}

std::string with_hip_header(const std::string& source) {
  return "#include <hip/hip_runtime.h>\n#line 1 \"kernel.hip\"\n" + source;
}

}  // namespace hone::device::gpu
