#pragma once
// What somebody proposed where the code does not say how a kernel is called, put where the host's code would have said
// it. What the code says stays as it is; all the rest is guessed, with the name of who guessed it as its place.

#include <map>
#include <string>

#include "base/result.hpp"
#include "core/completion.hpp"
#include "core/extraction.hpp"
#include "ir/unit.hpp"

namespace hone::mep {

/// Its declarations before the text, its macros among the defines: what is to be lifted.
Extraction with_declarations(Extraction extraction, const Completion& proposed, const std::string& who);

/// Its sizes, extents and launches. `unit` is the text of `extraction`, which has the declarations already.
/// E-COMPLETE names an argument that no kernel has.
Result<Extraction> with_values(Extraction extraction, const ir::Unit& unit, const Completion& proposed,
                               const std::string& who);

/// Its contents by the names that buffers have in the Mep. `extraction` has the values already.
std::map<std::string, std::string> fills_of(const Extraction& extraction, const ir::Unit& unit,
                                            const Completion& proposed);

}  // namespace hone::mep
