#pragma once
// The same problem with doubles where it had floats, for a K(0) that computes in double; and its answers back in the
// type they are compared in.

#include "core/launches.hpp"
#include "core/mep.hpp"
#include "judge/outputs.hpp"

namespace hone::judge {

/// E-DOUBLE when the data would take too much room or has parts that cannot be widened.
Result<Problem> widened(const Mep& mep, Problem problem);

/// Doubles rounded to the floats of `type`; what was never written still looks so. Other types stay as they are.
Bytes8 narrowed(const std::string& type, const Bytes8& bytes);

}  // namespace hone::judge
