#pragma once
// The worker on the wire: frames in, frames out, until the other side closes. When it closes in the middle of a
// request, the process ends at once: nobody is left to kill a kernel that hangs.

#include "base/result.hpp"
#include "worker/server/service.hpp"

namespace hone::worker {

/// Returns when `in` ends. E-PROTOCOL when what comes is no frame.
Status serve(Service& service, int in, int out);

}  // namespace hone::worker
