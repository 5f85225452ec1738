#pragma once
// Build options whose values follow the sizes. A host that builds with -DLDA=%d of its own n gives another number for
// every n; a MEP says that as "-DLDA={n}", and each workload is built with the number its own sizes make of it.

#include <map>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone {

/// "-DLDA={2 * n}".
std::string sized_define(const std::string& name, const Expression& value);

/// Braces that hold an expression over these scalars become its number; braces of C, as in -DINIT={0}, stay.
std::vector<std::string> options_at(std::vector<std::string> options, const std::map<std::string, Value>& scalars);
/// As it is built for this workload.
Variant at_sizes(Variant variant, const Workload& workload);
/// Whether workloads of this MEP are built with different options.
bool builds_differ(const std::vector<std::string>& options, const Mep& mep);
/// As tune has them, where one text must do: for reading the kernel.
std::vector<std::string> options_at_tune(const Mep& mep);

}  // namespace hone
