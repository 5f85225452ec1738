#pragma once
// One variant that is several: at sizes with a configuration of their own it does what that one does, at every other
// size what the general one does. It is a variant like any other, so that it is judged, proven and put back as a whole.
//
//   kernel(d) {                  kernel(d) {
//     BODY       and, d == 8:      if (d == 8) { OTHER }
//   }            { OTHER }   ->    else { BODY }
//                                }

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone {

/// A variant, and the values of workload scalars that it is for.
struct SizeCase {
  std::map<std::string, Value> when;
  Variant variant;
};

/// The argument through which every launch hands `scalar` to `kernel`; nothing when some launch does not.
std::optional<std::string> argument_for(const Mep& mep, const KernelSpec& kernel, const std::string& scalar);

/// E-CHOICE, with the reason, where that cannot be said in one text: a kernel that does not get the size, variants that
/// differ outside of their kernels or in their options, local memory declared in a body.
Result<Variant> choice_by_size(const Mep& mep, const Variant& rest, const std::vector<SizeCase>& cases);

}  // namespace hone
