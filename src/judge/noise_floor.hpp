#pragma once
// What the noise floor is measured with: a kernel of about a millisecond against itself.

#include "core/mep.hpp"

namespace hone::judge {

/// `mep` itself where there is no small kernel in its language.
Mep noise_mep(const Mep& mep);

}  // namespace hone::judge
