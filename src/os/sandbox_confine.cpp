#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "os/fd.hpp"
#include "os/process.hpp"
#include "os/sandbox.hpp"
#include "os/sandbox_parts.hpp"

namespace hone::os {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // sanitizers reserve terabytes of address space
#else
constexpr bool kSanitized = false;
#endif

constexpr uid_t kNobody = 65534;

/// What the marker of enter() says, compared with what is true now.
struct Surround {
  std::string means = "none";
  bool net = false, pid = false, mnt = false, user = false;
  bool outer_root = false;
  Path scratch = "/tmp";
};

bool differs(const char* kind, const std::string& outer) {
  struct stat what{};
  return ::stat((std::string("/proc/self/ns/") + kind).c_str(), &what) == 0 && std::to_string(what.st_ino) != outer;
}

Surround surround_of(const std::string& marker) {
  Surround around;
  around.outer_root = ::getuid() == 0;
  const auto fields = split(marker.substr(marker.find('=') + 1), ',');
  if (fields.size() != 8) return around;
  around.means = fields[0];
  around.outer_root = fields[1] == "0";
  around.net = differs("net", fields[2]);
  around.pid = differs("pid", fields[3]);
  around.mnt = differs("mnt", fields[4]);
  around.user = differs("user", fields[6]);
  around.scratch = fields[7];
  return around;
}

/// Nodes of GPUs belong to groups: a process that was root keeps those groups, and nothing else.
void become_nobody(const Reach& reach) {
  std::set<gid_t> groups;
  for (const auto& device : reach.devices) {
    struct stat what{};
    std::error_code ignored;
    if (::stat(device.c_str(), &what) == 0) groups.insert(what.st_gid);
    for (const auto& node : std::filesystem::directory_iterator(device, ignored))
      if (::stat(node.path().c_str(), &what) == 0) groups.insert(what.st_gid);
  }
  groups.erase(0);
  const std::vector<gid_t> kept(groups.begin(), groups.end());
  if (::setgroups(kept.size(), kept.data()) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0) return;
  if (::setresuid(kNobody, kNobody, kNobody) != 0) return;
  // Changing the user hides a process from itself in /proc.
  ::prctl(PR_SET_DUMPABLE, 1);
}

bool drop_capabilities() {
  for (int capability = 0; capability <= 63; ++capability) ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> none{};
  return ::syscall(SYS_capset, &header, none.data()) == 0;
}

SandboxPart part(std::string name, bool enforced, std::string means, std::string remedy) {
  return {std::move(name), enforced, std::move(means), enforced ? std::string() : std::move(remedy)};
}

std::string list_of(std::initializer_list<std::pair<bool, const char*>> means) {
  std::vector<std::string> held;
  for (const auto& [holds, name] : means)
    if (holds) held.emplace_back(name);
  return held.empty() ? "nothing" : join(held, ", ");
}

bool no_sockets() {
  const Fd tried(::socket(AF_INET, SOCK_STREAM, 0));
  return !tried;
}
/// Neither the system's files nor the user's can be written, and the user's cannot be seen.
bool files_held(const Path& scratch) {
  for (const auto* folder : {"/", "/etc", "/var/tmp", "/usr", "/dev/shm"}) {
    const auto path = (Path(folder) / ".hone-sandbox-probe").string();
    if (scratch == folder) continue;
    const Fd tried(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
    if (tried) ::unlink(path.c_str());
    if (tried) return false;
  }
  for (const auto* folder : {"/root", "/home", "/etc/passwd", "/var/log"}) {
    const Fd tried(::open(folder, O_RDONLY | O_CLOEXEC));
    if (tried) return false;
  }
  return true;
}

}  // namespace

SandboxPart limit_memory(std::uint64_t bytes) {
  const std::string remedy = "give a memory limit";
  if (kSanitized) return part("memory", false, "not limited in a build with sanitizers", "use a release build");
  if (bytes == 0) return part("memory", false, "no limit was asked for", remedy);
  Limits limits;
  limits.memory_bytes = bytes;
  const bool held = apply(limits).has_value();
  return part("memory", held, held ? "address space of " + std::to_string(bytes >> 20U) + " MiB" : "the system refused",
              remedy);
}

SandboxReport confine(const std::string& marker, const Confinement& confinement) {
  const auto around = surround_of(marker);
  const auto reach = reach_of_this_machine(around.scratch);
  const bool bubblewrap = around.means == "bubblewrap" && around.mnt;
  struct statvfs root{};
  const bool read_only = around.mnt && ::statvfs("/", &root) == 0 && (root.f_flag & ST_RDONLY) != 0;
  if (::geteuid() == 0) become_nobody(reach);
  // Processes are counted per user and namespace: one of our own keeps others out of the count.
  const bool own_count = around.user || ::unshare(CLONE_NEWUSER) == 0;
  const bool unprivileged = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  const bool powerless = drop_capabilities();

  // The limit is not for the superuser: where root could not become somebody else, it would be a lie.
  const bool counted =
      own_count && !(around.outer_root && ::getuid() != kNobody) && !(around.outer_root && around.user);
  Limits limits;
  limits.file_bytes = confinement.file_bytes;
  limits.core_dumps = false;
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (counted) limits.processes = confinement.processes != 0 ? confinement.processes : 64 + 4 * cores;
  const bool limited = apply(limits).has_value();

  const bool landlock = restrict_files(reach);
  const bool filtered = restrict_system_calls(!reach.devices.empty());

  SandboxReport report;
  const std::string install =
      "install bubblewrap and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)";
  report.parts = {
      part("network", no_sockets() && (around.net || filtered),
           list_of({{around.net, "network namespace"}, {filtered, "seccomp"}}), install),
      part("files", files_held(around.scratch),
           list_of({{bubblewrap, "read-only mounts by bubblewrap"},
                    {!bubblewrap && read_only, "read-only mounts"},
                    {landlock, "Landlock"}}),
           install + ", or a kernel with Landlock"),
      part("other processes", filtered || around.pid,
           list_of({{around.pid, "process namespace"}, {filtered, "seccomp"}}), install),
      part("privileges", unprivileged && powerless && ::geteuid() != 0,
           list_of(
               {{unprivileged, "no new privileges"}, {powerless, "no capabilities"}, {::geteuid() != 0, "not root"}}),
           "run hone as an ordinary user"),
      part("system calls", filtered, filtered ? "seccomp" : "the kernel refused the filter",
           "a kernel with seccomp filters"),
      part("number of processes", counted && limited,
           counted ? "limit in a user namespace of its own" : "the limit does not hold for this user",
           "allow user namespaces, and run hone as an ordinary user"),
      part("file size", limited, bubblewrap ? "limit, and a scratch folder in memory of 1 GiB" : "limit",
           "a system that sets resource limits"),
      part("environment", !marker.empty(), "only variables of device runtimes and compilers",
           "start it through the sandbox"),
      part("CPU time", true, "limit by the wall time of each request", ""),
  };
  return report;
}

}  // namespace hone::os
