#pragma once
// What a change may touch in the application it came from. Computed once, before the search, so that proposers propose
// within it and what is judged is the very form that ships. A MEP without an application has no limits.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

/// How another launch geometry can be had for a kernel, the best first.
enum class LaunchTier {
  Sizes,    // the sizes at the call: nothing but this kernel passes there
  Adapter,  // the call is shared: a generated function gives this kernel, and it alone, its geometry
  Kept,     // the launch is left as it is: the kernel maps its work-items to the new work
};

/// "sizes", "adapter", "kept".
constexpr std::string_view name_of(LaunchTier tier) {
  return tier == LaunchTier::Sizes ? "sizes" : tier == LaunchTier::Adapter ? "adapter" : "kept";
}

struct KernelLimit {
  std::string kernel;
  LaunchTier tier = LaunchTier::Kept;
  bool has_local = false;  // every launch says its local size, so that `launch.local` has a value there
  bool fixed_local =
      false;  // and it is the same whenever the application runs, not only in the launches that were seen
  std::size_t dimensions = 0;  // of every launch; 0 when they differ or are not known
  std::string reason;          // why not a better tier; empty for Sizes
  std::string place;           // "common/host.h:74": where the reason stands
  bool operator==(const KernelLimit&) const = default;
};

/// The host reads so many bytes of a kernel's file at most; a longer text would arrive cut off.
struct TextRoom {
  std::string file;
  std::size_t bytes = 0;
  std::string place;  // "main.c:61": who reads
  bool operator==(const TextRoom&) const = default;
};

struct PatchLimits {
  bool applies = false;              // false: nothing goes back anywhere
  std::vector<KernelLimit> kernels;  // one for each kernel of the MEP
  std::vector<std::string> options;  // what the application builds them with: no other option can be asked for
  std::vector<TextRoom> rooms;
  std::size_t longest = 0;  // of a variant's text, so that it fits all rooms; 0 where there is none

  const KernelLimit* find(std::string_view kernel) const {
    const auto found =
        std::find_if(kernels.begin(), kernels.end(), [&](const KernelLimit& limit) { return limit.kernel == kernel; });
    return found == kernels.end() ? nullptr : &*found;
  }
  /// Whether a variant may ask for other launch sizes.
  bool may_change_launch(std::string_view kernel) const {
    if (!applies) return true;
    const auto* limit = find(kernel);
    return limit != nullptr && limit->tier != LaunchTier::Kept;
  }
  /// No launch may change, because somebody says so.
  PatchLimits with_launches_kept(const std::string& reason) const {
    auto out = *this;
    for (auto& limit : out.kernels)
      if (limit.tier != LaunchTier::Kept) limit.tier = LaunchTier::Kept, limit.reason = reason, limit.place.clear();
    return out;
  }
  bool operator==(const PatchLimits&) const = default;
};

}  // namespace hone
