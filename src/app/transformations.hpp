#pragma once
// What a template does to K(0), in words: its rules, or what its default's tree has that K(0)'s has not.

#include <set>
#include <string>

#include "core/template.hpp"
#include "rules/schedule.hpp"

namespace hone::app {

std::set<std::string> transformations_of(const rules::LiftedKernel& original, const Template& value);

}  // namespace hone::app
