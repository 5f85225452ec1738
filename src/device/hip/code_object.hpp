#pragma once
// An AMD code object says itself what its kernels take and need: an ELF file with a note, a map in MessagePack.

#include <string>

#include "base/result.hpp"
#include "device/gpu/code.hpp"

namespace hone::device::hip {

/// Its kernels with their parameters, registers, spills and shared memory, and its variables; the object is the only
/// image. E-CODE when it is none.
Result<gpu::Code> read_code_object(const std::string& object);

}  // namespace hone::device::hip
