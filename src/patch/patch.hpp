#pragma once
// The winner goes back into the application. In: K(0)'s Mep, the winner, where everything came from, and the
// application's files. Out: the changed files and a minimal unified diff. Nothing is written here; app/ decides.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/format.hpp"
#include "core/mep.hpp"
#include "core/origin.hpp"
#include "core/patch_limits.hpp"
#include "core/template.hpp"
#include "patch/engagement.hpp"
#include "patch/launch_splice.hpp"

namespace hone::patch {

struct Patch {
  Files before, after;                      // only files that change
  std::string diff;                         // of them, for `patch -p1` and `git apply`
  std::vector<std::string> notes;           // what a reviewer should know: clones, renames
  Shipped shipped;                          // what the application must be seen to run
  std::map<std::string, LaunchTier> tiers;  // how each kernel that changed gets its launch
};

/// Names of the files a patch may touch: read these before make_patch.
std::vector<std::string> files_of(const Origin& origin);

/// `limits` are those of the tree as it is now (limits_of): a launch that others share is never changed. E-STALE when a
/// file is not what it was at extraction, E-LAUNCHSITE when new launch sizes cannot be put at the call, E-OPTIONS when
/// the winner needs build options the application does not pass, E-ORIGIN when a place is not found.
/// `remark` stands as a comment above every kernel whose text changed.
Result<Patch> make_patch(const Mep& mep, const Variant& winner, const Origin& origin, const Files& files,
                         const PatchLimits& limits, const std::string& remark = {});

/// The files with the patch in them. E-STALE when one is not what the patch was made from.
Result<Files> apply_patch(const Patch& patch, Files files);

}  // namespace hone::patch
