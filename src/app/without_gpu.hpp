#pragma once
// hone optimize on a CUDA or HIP kernel where there is no GPU: everything that can be done without one, and nothing
// that would pass for a time. The kernel is taken out and completed on the emulator, the rules propose, each candidate
// must agree with the original there and must compile for the architecture named; what is left is kept for a machine
// that has the GPU.

#include "app/pipeline.hpp"

namespace hone::app {

/// The kernel's language where `error` says that its GPU is missing and nobody asked for a device by name.
std::optional<Language> lacks_a_gpu(const Error& error, const DeviceChoice& choice);
Result<Answer> prepare_without_gpu(const OptimizeRequest& request, Language language, Console& console,
                                   TimeLedger& ledger);

}  // namespace hone::app
