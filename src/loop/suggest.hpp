#pragma once
// g = A(m): what is measured of a variant, and how its accesses lie in memory, turned into semantic suggestions of the
// papers' kinds. Pure; each names its target and the evidence.

#include <vector>

#include "affine/view.hpp"
#include "core/device_session.hpp"
#include "core/knowledge.hpp"

namespace hone::loop {

/// `ceiling`: bandwidth in GB/s of the level that holds the data; 0 when it was not measured.
std::vector<Suggestion> suggest(const affine::View& view, const Profile& profile, const DeviceInfo& device,
                                double ceiling);

/// One sentence per access that matters: "b[n * x + global_id[0]] moves by 1 with work-item 0 and by n with x".
std::vector<std::string> access_patterns(const affine::View& view);

}  // namespace hone::loop
