#include "os/cpu_time.hpp"

#include <ctime>
#include <fstream>
#include <string>

namespace hone::os {

Nanoseconds cpu_time(pid_t root) {
  Nanoseconds total{0};
  clockid_t clock{};
  timespec spent{};
  if (clock_getcpuclockid(root, &clock) == 0 && clock_gettime(clock, &spent) == 0)
    total += Nanoseconds(static_cast<double>(spent.tv_sec) * 1e9 + static_cast<double>(spent.tv_nsec));
  const auto id = std::to_string(root);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) total += cpu_time(child);
  return total;
}

}  // namespace hone::os
