#pragma once
// PatchLimits of an application, once, before anything is searched: for each kernel whether its launch may change, how,
// and if not, why and where. In: where the kernels came from and every file of the tree. No diff is made here.

#include "base/result.hpp"
#include "core/format.hpp"
#include "core/mep.hpp"
#include "core/origin.hpp"
#include "core/patch_limits.hpp"
#include "core/template.hpp"

namespace hone::patch {

/// `tree` holds all files of the application, not only those the kernel came from: a launch is shown to be this
/// kernel's alone over all of it. E-STALE or E-ORIGIN when the kernel's own text cannot be put back at all.
Result<PatchLimits> limits_of(const Mep& mep, const Origin& origin, const Files& tree);

/// Whether a variant could go back: E-LAUNCHSITE its launch must stay, E-OPTIONS an option nobody passes.
Status allows(const PatchLimits& limits, const Variant& variant);

}  // namespace hone::patch
