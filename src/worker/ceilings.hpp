#pragma once
// Measures what a device can do at best, by kernels of our own through an ordinary session: bandwidth by footprint,
// FLOP/s by type, the cost of a launch, the noise of the timer. Kept in a file per device and driver, because it takes
// seconds.

#include <filesystem>

#include "base/result.hpp"
#include "core/ceilings.hpp"
#include "core/device_session.hpp"

namespace hone::worker {

/// `largest` bounds the footprints that are tried.
Result<Ceilings> measure_ceilings(DeviceSession& session, Bytes largest = mebibytes(256));
/// Bytes per second that data of that size can be read with, now.
Result<double> measure_bandwidth(DeviceSession& session, Bytes footprint);
/// From `cache` when that was measured with the same device and driver, else measured now and written there.
Result<Ceilings> ceilings_of(DeviceSession& session, const std::filesystem::path& cache);

std::string to_json_text(const Ceilings& ceilings);
Result<Ceilings> ceilings_from_text(const std::string& text);

}  // namespace hone::worker
