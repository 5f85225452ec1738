#pragma once
// The lists of the gate, by purpose. All are plain words; matching is exact unless said otherwise.

#include <array>
#include <string_view>

namespace hone::judge {

/// Headers of the languages themselves.
inline constexpr auto kIncludes = std::to_array<std::string_view>(
    {"cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "mma.h", "cooperative_groups.h", "hip/hip_runtime.h",
     "hip/hip_fp16.h", "math.h", "stdint.h", "cstdint", "cmath", "float.h", "limits.h"});

/// First words of a pragma.
inline constexpr auto kPragmas = std::to_array<std::string_view>({"unroll", "nounroll", "OPENCL", "STDC", "once"});
/// Second words after `clang` and `GCC`.
inline constexpr auto kCompilerPragmas = std::to_array<std::string_view>({"loop", "fp", "unroll", "ivdep"});

inline constexpr auto kAttributes = std::to_array<std::string_view>({"reqd_work_group_size",
                                                                     "work_group_size_hint",
                                                                     "vec_type_hint",
                                                                     "opencl_unroll_hint",
                                                                     "intel_reqd_sub_group_size",
                                                                     "amdgpu_flat_work_group_size",
                                                                     "amdgpu_waves_per_eu",
                                                                     "aligned",
                                                                     "packed",
                                                                     "always_inline",
                                                                     "noinline",
                                                                     "unused",
                                                                     "maybe_unused",
                                                                     "const",
                                                                     "pure",
                                                                     "may_alias",
                                                                     "launch_bounds",
                                                                     "nothrow",
                                                                     "flatten",
                                                                     "hot",
                                                                     "endian"});

/// Words no kernel needs: assembly, code outside the kernel, clocks, frames, and dynamic loading.
inline constexpr auto kWords = std::to_array<std::string_view>({"asm",
                                                                "__asm",
                                                                "__asm__",
                                                                "extern",
                                                                "constructor",
                                                                "destructor",
                                                                "ifunc",
                                                                "__builtin_readcyclecounter",
                                                                "__builtin_ia32_rdtsc",
                                                                "__builtin_ia32_rdtscp",
                                                                "__builtin_frame_address",
                                                                "__builtin_return_address",
                                                                "__builtin_extract_return_addr",
                                                                "__builtin_alloca",
                                                                "__builtin_longjmp",
                                                                "__builtin_setjmp",
                                                                "__builtin_eh_return",
                                                                "__builtin_readsteadycounter",
                                                                "__builtin_trap",
                                                                "__builtin_debugtrap",
                                                                "clock64",
                                                                "wall_clock64",
                                                                "__clock",
                                                                "globaltimer",
                                                                "enqueue_kernel",
                                                                "__FILE__",
                                                                "__BASE_FILE__",
                                                                "__INCLUDE_LEVEL__",
                                                                "__DATE__",
                                                                "__TIME__",
                                                                "__TIMESTAMP__",
                                                                "__has_include",
                                                                "__has_embed",
                                                                "__builtin_FILE",
                                                                "__builtin_dynamic_object_size",
                                                                "__constructor__",
                                                                "__destructor__"});

/// Of CUDA and HIP besides: clocks, memory and launches of the device's own, and what stops or tells on a kernel.
inline constexpr auto kDeviceWords = std::to_array<std::string_view>({"clock",
                                                                      "__nanosleep",
                                                                      "malloc",
                                                                      "free",
                                                                      "new",
                                                                      "delete",
                                                                      "alloca",
                                                                      "__trap",
                                                                      "__brkpt",
                                                                      "__prof_trigger",
                                                                      "__managed__",
                                                                      "vprintf",
                                                                      "cudaMalloc",
                                                                      "cudaFree",
                                                                      "cudaLaunchDevice",
                                                                      "cudaGetParameterBuffer",
                                                                      "__assertfail",
                                                                      "__builtin_assume",
                                                                      "__builtin_unreachable",
                                                                      "abort"});

/// Options that change nothing but speed and legal rounding. `-D` and `-cl-std=` take any plain value.
inline constexpr auto kOptions = std::to_array<std::string_view>(
    {"-cl-mad-enable", "-cl-fast-relaxed-math", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
     "-cl-finite-math-only", "-cl-denorms-are-zero", "-cl-single-precision-constant",
     "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable", "-cl-strict-aliasing", "-cl-uniform-work-group-size",
     "-cl-kernel-arg-info", "-w", "-Werror", "--use_fast_math", "-ffast-math", "-O1", "-O2", "-O3"});

}  // namespace hone::judge
