#pragma once
// A unit computing in double what it computed in float: every float becomes a double, those in buffers too, so that
// whoever runs it hands it widened data. The error of the original can then be measured instead of guessed.

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::ir {

/// E-DOUBLE says why there is none: code that was not understood, images, structs, bits looked at as a number, and
/// wherever a rounding decides which way the program goes (branches, comparisons and integers made from floats). OpenCL
/// only.
Result<Unit> in_double(const Unit& unit);

}  // namespace hone::ir
