#pragma once
// Shared memory whose size the launch gives: `extern __shared__ float tile[];`. In: a kernel's text. Out: what the MEP
// calls it, an argument of kind `local` behind the kernel's own parameters.

#include <optional>
#include <string>

#include "core/mep.hpp"
#include "mep/structs.hpp"

namespace hone::mep {

/// The declaration that `kernel` reaches, its own or one outside of all kernels; all of them are the same memory, so
/// the first stands for all. Nothing where there is none.
std::optional<ArgumentSpec> dynamic_shared(const std::string& source, const std::string& kernel,
                                           const Structs& structs);

}  // namespace hone::mep
