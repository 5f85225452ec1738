#pragma once
// Fills as a manifest writes them, made ready for a device: sizes in them become numbers, and of a struct each field
// gets its own. The generators themselves are in inputs/.
//
//   index(columns)                           arguments are expressions over the workload's scalars
//   position: uniform(-1,1); next: index(n)  of a struct; a field that is not named gets what suits its type

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/expression.hpp"
#include "core/mep.hpp"

namespace hone {

/// "index(64)". E-FILL when an argument is no number.
Result<std::string> concrete_fill(const std::string& fill, const Expression::Environment& names);

/// "record(16; 0 float 3 uniform(-1,1); 12 int 1 index(64))" of a struct's fill. E-FILL names a field that is not
/// there.
Result<std::string> record_fill(const std::string& fill, const std::string& type,
                                const std::vector<StructSpec>& structs, const Expression::Environment& names);

/// "corner[1].x" without its numbers: how a fill names a field.
std::string field_pattern(const std::string& path);

}  // namespace hone
