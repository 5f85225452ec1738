#pragma once
// One launch call as its text has it: which dialect, where its two size arguments stand, and how the original sizes are
// said.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/origin.hpp"

namespace hone::patch {

/// Functions and macros of CUDA and HIP that launch: the kernel, its grid and its block come first.
inline constexpr std::array<std::string_view, 3> kLaunchers = {"hipLaunchKernelGGL", "hipLaunchKernel",
                                                               "cudaLaunchKernel"};

struct LaunchCall {
  /// clEnqueueNDRangeKernel with arrays; cl::CommandQueue and functors with NDRanges; <<<grid, block>>> and kLaunchers.
  enum class Dialect { Arrays, Ranges, Chevrons };  // Ranges: of cl::EnqueueArgs too
  Dialect dialect = Dialect::Arrays;
  std::size_t dimensions = 0;
  ByteRange global, local;  // arguments in the file; grid and block of a <<<>>>
  bool local_is_null = false;
  std::string null_text;         // how this call spells "the runtime chooses"
  bool local_is_absent = false;  // the call leaves it to a default argument: `local` is where one can be added
  std::string global_text, local_text;
  /// Computed in the call, by functions perhaps: a copy that is made once, in front of it, stands for them.
  bool global_once = false, local_once = false;
  std::string old_global, old_local;  // names of the copies
  std::size_t place = 0;              // of what is given the sizes: the call, or the cl::EnqueueArgs made before it
  bool in_c = false;                  // C, where a compound literal lives as long as its block

  /// The host's text for `launch.global[i]` and `launch.local[i]`; nothing when the launch does not say.
  std::optional<std::string> size_named(std::string_view name) const;
};

/// Where the value of the size_t variable that `argument` names is written, when the variable is declared with one and
/// used nowhere else in the file: then its value can be changed there, and nothing unused is left behind.
struct OnlyUse {
  ByteRange value;
  bool is_array = false;
};
std::optional<OnlyUse> only_use(const std::string& file, const std::string& argument);

/// E-LAUNCHSITE when the call is of no known kind, or its sizes cannot be computed in front of it and only once.
Result<LaunchCall> read_call(const std::string& file, const LaunchSite& site);

}  // namespace hone::patch
