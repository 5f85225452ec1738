#pragma once
// Memory that is freed stays with the process: data as large as a workload's are made and dropped again and again, and
// pages that come fresh from the system each time cost more than what is done with them.

#include <malloc.h>

#include <limits>

namespace hone::os {

/// Before anything large is allocated.
inline void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

}  // namespace hone::os
