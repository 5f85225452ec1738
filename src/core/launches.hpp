#pragma once
// From a Mep and a Workload to what a device is asked to do: loops unrolled, expressions evaluated, launch shapes
// applied.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone {

struct Problem {
  std::vector<BufferData> buffers;
  std::vector<ImageData> images;
  std::vector<ConcreteLaunch> launches;
  std::vector<std::string> outputs;  // buffers and images that some launch may write
  std::vector<std::string> inputs;   // buffers no launch may write
  bool changes_inputs = false;       // a buffer is both read and written: restore between passes
};

/// `shapes` replace the original sizes of their kernels; empty for K(0). Seeds of buffers derive from `seed` and their
/// names. E-LAUNCH names the launch and the expression that could not be evaluated.
Result<Problem> concretise(const Mep& mep, const Workload& workload, const std::vector<LaunchShape>& shapes,
                           const DeviceInfo& device, std::uint64_t seed);

}  // namespace hone
