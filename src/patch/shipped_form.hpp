#pragma once
// A variant as it will stand in the application: what is judged and timed must be that very text. In: the variant as it
// was proposed and the limits. Out: where the launch must stay, a kernel that maps the work-items it gets to the new
// work, with no launch shape of its own; where an adapter knows the kernel by a marker, the text with the marker in it;
// a HIP kernel with the bounds of its blocks.

#include "base/result.hpp"
#include "core/mep.hpp"
#include "core/patch_limits.hpp"
#include "core/template.hpp"

namespace hone::patch {

/// Doing it twice is the same as once. E-LAUNCHSITE where a launch must stay and the variant needs what it does not
/// give: another local size, more work-items, other dimensions.
Result<Variant> shipped_form(const Mep& mep, const PatchLimits& limits, Variant variant);

}  // namespace hone::patch
