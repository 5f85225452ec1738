#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/fd.hpp"
#include "os/sandbox_parts.hpp"

namespace hone::os {
namespace {

// Rights by the version of Landlock that brought them; system headers may be older than the running kernel.
constexpr std::uint64_t kExecute = 1U << 0U, kWriteFile = 1U << 1U, kReadFile = 1U << 2U, kReadDir = 1U << 3U;
constexpr std::uint64_t kFirst = (1U << 13U) - 1, kRefer = 1U << 13U, kTruncate = 1U << 14U, kDeviceControl = 1U << 15U;
constexpr std::uint64_t kNetwork = 3;  // bind and connect of TCP
constexpr std::uint64_t kScopes = 3;   // abstract sockets and signals stay inside

struct Ruleset {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

std::uint64_t handled_files(int version) {
  return kFirst | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0) | (version >= 5 ? kDeviceControl : 0);
}

/// A rule for a file may only name rights that files have.
bool allow(int ruleset, const Path& path, std::uint64_t rights) {
  const Fd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat what{};
  if (!place || ::fstat(place.get(), &what) != 0) return false;
  if (!S_ISDIR(what.st_mode)) rights &= kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = place.get()};
  return ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : static_cast<int>(version);
}

bool restrict_files(const Reach& reach) {
  const int version = landlock_version();
  if (version == 0) return false;
  Ruleset handled{
      .files = handled_files(version), .network = version >= 4 ? kNetwork : 0, .scopes = version >= 6 ? kScopes : 0};
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const Fd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, size, 0)));
  if (!ruleset) return false;
  const std::uint64_t read = kExecute | kReadFile | kReadDir;
  for (const auto& path : reach.readable) allow(ruleset.get(), path, read);
  for (const auto& path : reach.devices)
    allow(ruleset.get(), path, handled.files & (read | kWriteFile | kTruncate | kDeviceControl));
  for (const auto& path : reach.writable) allow(ruleset.get(), path, handled.files);
  // Facts about the machine and this process; those of other processes are not among them.
  for (const auto* path : {"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/mounts",
                           "/proc/version", "/proc/filesystems", "/proc/sys/kernel", "/proc/sys/vm", "/proc/driver"})
    allow(ruleset.get(), path, kReadFile | kReadDir);
  for (const auto* path : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    allow(ruleset.get(), path, handled.files & (kReadFile | kWriteFile | kTruncate | kDeviceControl));
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

}  // namespace hone::os
