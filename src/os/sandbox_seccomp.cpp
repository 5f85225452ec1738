#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "os/sandbox_parts.hpp"

namespace hone::os {
namespace {

/// What neither a kernel nor a compiler asks for, but an escape does.
constexpr std::array kRefused = {"ptrace",
                                 "process_vm_readv",
                                 "process_vm_writev",
                                 "process_madvise",
                                 "kcmp",
                                 "pidfd_getfd",
                                 "pidfd_open",
                                 "pidfd_send_signal",
                                 "mount",
                                 "umount2",
                                 "pivot_root",
                                 "chroot",
                                 "move_mount",
                                 "open_tree",
                                 "fsopen",
                                 "fsmount",
                                 "fsconfig",
                                 "fspick",
                                 "mount_setattr",
                                 "setns",
                                 "unshare",
                                 "bpf",
                                 "perf_event_open",
                                 "keyctl",
                                 "add_key",
                                 "request_key",
                                 "kexec_load",
                                 "kexec_file_load",
                                 "init_module",
                                 "finit_module",
                                 "delete_module",
                                 "reboot",
                                 "swapon",
                                 "swapoff",
                                 "acct",
                                 "quotactl",
                                 "quotactl_fd",
                                 "userfaultfd",
                                 "io_uring_setup",
                                 "io_uring_enter",
                                 "io_uring_register",
                                 "open_by_handle_at",
                                 "name_to_handle_at",
                                 "syslog",
                                 "settimeofday",
                                 "clock_settime",
                                 "adjtimex",
                                 "clock_adjtime",
                                 "iopl",
                                 "ioperm",
                                 "sethostname",
                                 "setdomainname",
                                 "vhangup",
                                 "fanotify_init",
                                 "setuid",
                                 "setgid",
                                 "setreuid",
                                 "setregid",
                                 "setresuid",
                                 "setresgid",
                                 "setfsuid",
                                 "setfsgid",
                                 "setgroups",
                                 "rt_sigqueueinfo",
                                 "rt_tgsigqueueinfo",
                                 "lookup_dcookie",
                                 "nfsservctl",
                                 "mknod",
                                 "mknodat",
                                 "personality",
                                 "bind",
                                 "listen",
                                 "accept",
                                 "accept4",
                                 "msgget",
                                 "semget",
                                 "shmget"};

struct ReleaseFilter {
  void operator()(void* filter) const { ::seccomp_release(filter); }
};

class Filter {
 public:
  Filter() : filter_(::seccomp_init(SCMP_ACT_ALLOW)) {}
  bool made() const { return filter_ != nullptr; }
  void refuse(const char* name, int code = EPERM) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR)
      ::seccomp_rule_add(filter_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(code)), number, 0);
  }
  void refuse_when(const char* name, scmp_arg_cmp condition) {
    const int number = ::seccomp_syscall_resolve_name(name);
    if (number != __NR_SCMP_ERROR) ::seccomp_rule_add(filter_.get(), SCMP_ACT_ERRNO(EPERM), number, 1, condition);
  }
  bool load() { return ::seccomp_load(filter_.get()) == 0; }

 private:
  std::unique_ptr<void, ReleaseFilter> filter_;
};

void refuse_sockets(Filter& filter, bool with_gpu) {
  if (!with_gpu) return filter.refuse("socket");
  for (int family = 0; family < AF_MAX; ++family)
    if (family != AF_UNIX && family != AF_NETLINK)
      filter.refuse_when("socket", SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(family)));
}

}  // namespace

bool restrict_system_calls(bool with_gpu) {
  Filter filter;
  if (!filter.made()) return false;
  for (const auto* name : kRefused) filter.refuse(name);
  refuse_sockets(filter, with_gpu);
  // clone3 hides its flags from a filter; the C library falls back to clone, whose flags can be seen.
  filter.refuse("clone3", ENOSYS);
  for (const unsigned flag :
       {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
    filter.refuse_when("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  // Signals to itself only.
  const auto own = static_cast<scmp_datum_t>(::getpid());
  filter.refuse_when("kill", SCMP_A0(SCMP_CMP_NE, own));
  filter.refuse_when("tgkill", SCMP_A0(SCMP_CMP_NE, own));
  filter.refuse("tkill");
  for (const unsigned request : {unsigned{TIOCSTI}, 0x541CU /* TIOCLINUX */})
    filter.refuse_when("ioctl", SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFU, request));
  return filter.load();
}

}  // namespace hone::os
