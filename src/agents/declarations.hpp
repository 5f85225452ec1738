#pragma once
// The declarations that a proposal may put before a kernel's text: of types, functions and macros that the text uses
// and nobody declares. They may say nothing to the preprocessor but macros and conditions, and may not change what a
// name means that the text knows already: a kernel that is compared with itself must be the application's.

#include <optional>
#include <string>

#include "core/completion.hpp"
#include "core/extraction.hpp"

namespace hone::agents {

/// Why they are refused.
std::optional<std::string> fault_in_declarations(const Completion& proposed, const Extraction& extraction);

}  // namespace hone::agents
