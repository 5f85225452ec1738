#pragma once
// Processor time by the kernel's account, which no program can forge and which does not grow while it waits for a busy
// machine.

#include <sys/types.h>

#include "base/units.hpp"

namespace hone::os {

/// Of a process and everything it started that still runs. Zero when it is gone.
Nanoseconds cpu_time(pid_t root);

}  // namespace hone::os
