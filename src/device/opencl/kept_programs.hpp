#pragma once
// What PoCL keeps of the programs it compiled: a folder for each in POCL_CACHE_DIR, and in it the program as LLVM
// bitcode with the built-in functions linked in. Where that is, another process does not compile.

#include "core/compiled_form.hpp"

namespace hone::device {

/// Of the program that was built last in this process; empty when nothing is kept.
CompiledForm kept_of_last_build();
/// Names that lead out of the folder are left out.
void keep(const CompiledForm& form);

}  // namespace hone::device
