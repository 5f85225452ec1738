#include "attempts.hpp"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace hone::escape {
namespace {

std::string secret(const Bait& bait) { return bait.at("folder") + "/secret"; }
std::string scratch() { return std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/tmp"; }
bool readable(const std::string& path) {
  char byte = 0;
  const int fd = ::open(path.c_str(), O_RDONLY);
  return fd >= 0 && ::read(fd, &byte, 1) >= 0;
}
bool writable(const std::string& path) { return ::open(path.c_str(), O_WRONLY) >= 0; }
bool creatable(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT, 0600) >= 0; }
std::string own_file() {
  const auto path = scratch() + "/own";
  std::ofstream(path) << "x";
  return path;
}
pid_t parent(const Bait& bait) { return static_cast<pid_t>(std::stol(bait.at("parent"))); }
sockaddr_in loopback(const std::string& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}
bool connects_to(const sockaddr_un& address, std::size_t path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path)) == 0;
}
bool connects_tcp(const Bait& bait) {
  const auto address = loopback(bait.at("tcp"));
  return ::connect(::socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}
bool sends_udp(const Bait& bait) {
  const auto address = loopback(bait.at("udp"));
  return ::sendto(::socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, reinterpret_cast<const sockaddr*>(&address),
                  sizeof address) == 1;
}
bool connects_unix(const Bait& bait) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, bait.at("unix").c_str(), sizeof address.sun_path - 1);
  return connects_to(address, bait.at("unix").size() + 1);
}
bool connects_abstract(const Bait& bait) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + 1, bait.at("abstract").c_str(), sizeof address.sun_path - 2);
  return connects_to(address, bait.at("abstract").size() + 1);
}
bool listens(const Bait&) {
  const auto address = loopback("0");
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  return ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ::listen(fd, 1) == 0;
}

/// Far more than any device runtime starts; the children end when this process does.
bool fork_bomb(const Bait&) {
  constexpr int kMany = 2000;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return false;
  for (int i = 0; i < kMany; ++i) {
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child > 0) continue;
    char byte = 0;
    ::close(ends[1]);
    ::_exit(static_cast<int>(::read(ends[0], &byte, 1)));
  }
  return true;
}
bool reads_memory(const Bait& bait) {
  std::array<char, 8> bytes{};
  const iovec here{bytes.data(), bytes.size()}, there{reinterpret_cast<void*>(0x400000), bytes.size()};
  return ::syscall(SYS_process_vm_readv, parent(bait), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}
bool opens_proc(const Bait& bait, const char* what) { return readable("/proc/" + bait.at("parent") + "/" + what); }

bool hogs_memory(const Bait&) {
  constexpr std::size_t kMuch = std::size_t{8} << 30U;
  return ::mmap(nullptr, kMuch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}
bool huge_file(const Bait&) {
  ::signal(SIGXFSZ, SIG_IGN);
  const int fd = ::open((scratch() + "/huge").c_str(), O_RDWR | O_CREAT, 0600);
  return fd >= 0 && ::pwrite(fd, "x", 1, off_t{8} << 30U) == 1;
}
bool sees_environment(const Bait&) {
  std::ifstream file("/proc/self/environ");
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  return std::getenv("HONE_ESCAPE_SECRET") != nullptr || all.find("HONE_ESCAPE_SECRET") != std::string::npos;
}
bool inherits_descriptors(const Bait&) {
  for (int fd = 3; fd < 1024; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) return true;
  return false;
}
bool runs_outside_program(const Bait& bait) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl((bait.at("folder") + "/program").c_str(), "program", nullptr);
    ::_exit(99);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
bool keeps_bait_by_link(const Bait& bait) {
  const auto link = scratch() + "/link";
  return ::symlink(secret(bait).c_str(), link.c_str()) == 0 && readable(link);
}
bool opens_device(const Bait&) {
  const auto path = scratch() + "/disk";
  return ::mknod(path.c_str(), S_IFBLK | 0600, makedev(7, 0)) == 0 && readable(path);
}
bool opens_performance(const Bait&) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  return ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) >= 0;
}
bool schedules_ahead(const Bait&) {
  const sched_param ahead{.sched_priority = 50};
  return ::sched_setscheduler(0, SCHED_FIFO, &ahead) == 0 || ::setpriority(PRIO_PROCESS, 0, -20) == 0;
}
bool sets_clock(const Bait&) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return ::clock_settime(CLOCK_REALTIME, &now) == 0;
}

}  // namespace

const std::vector<Attempt>& attempts() {
  static const std::vector<Attempt> all = {
      {"read_a_users_file", "files", [](const Bait& b) { return readable(secret(b)); }},
      {"list_a_users_folder", "files", [](const Bait& b) { return ::opendir(b.at("folder").c_str()) != nullptr; }},
      {"read_shadow", "files", [](const Bait&) { return readable("/etc/shadow"); }},
      {"read_passwd", "files", [](const Bait&) { return readable("/etc/passwd"); }},
      {"read_root_home", "files", [](const Bait&) { return ::opendir("/root") != nullptr; }},
      {"write_a_users_file", "files", [](const Bait& b) { return writable(secret(b)); }},
      {"create_beside_it", "files", [](const Bait& b) { return creatable(b.at("folder") + "/new"); }},
      {"create_in_usr", "files", [](const Bait&) { return creatable("/usr/.hone-escape"); }},
      {"create_in_var_tmp", "files", [](const Bait&) { return creatable("/var/tmp/.hone-escape"); }},
      {"rename_out", "files",
       [](const Bait& b) { return ::rename(own_file().c_str(), (b.at("folder") + "/out").c_str()) == 0; }},
      {"hard_link_in", "files",
       [](const Bait& b) { return ::link(secret(b).c_str(), (scratch() + "/hard").c_str()) == 0; }},
      {"symbolic_link", "files", keeps_bait_by_link},
      {"truncate", "files", [](const Bait& b) { return ::truncate(secret(b).c_str(), 0) == 0; }},
      {"unlink", "files", [](const Bait& b) { return ::unlink(secret(b).c_str()) == 0; }},
      {"change_mode", "mounts", [](const Bait& b) { return ::chmod(secret(b).c_str(), 0777) == 0; }},
      {"change_times", "mounts", [](const Bait& b) { return ::utimes(secret(b).c_str(), nullptr) == 0; }},
      {"run_a_users_program", "files", runs_outside_program},
      {"write_proc_sys", "files", [](const Bait&) { return writable("/proc/sys/kernel/hostname"); }},
      {"write_sys", "files", [](const Bait&) { return writable("/sys/kernel/mm/transparent_hugepage/enabled"); }},
      {"leave_shared_memory", "files", [](const Bait&) { return creatable("/dev/shm/hone-escape"); }},
      {"connect", "network", connects_tcp},
      {"send_a_datagram", "network", sends_udp},
      {"connect_local_socket", "network", connects_unix},
      {"connect_abstract_socket", "network", connects_abstract},
      {"raw_socket", "network", [](const Bait&) { return ::socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0; }},
      {"packet_socket", "network", [](const Bait&) { return ::socket(AF_PACKET, SOCK_RAW, 0) >= 0; }},
      {"listen", "network", listens},
      {"fork_bomb", "number of processes", fork_bomb},
      {"kill_parent", "other processes", [](const Bait& b) { return ::kill(parent(b), SIGUSR1) == 0; }},
      {"kill_all", "other processes", [](const Bait&) { return ::kill(-1, 0) == 0; }},
      {"ptrace_parent", "other processes",
       [](const Bait& b) { return ::ptrace(PTRACE_ATTACH, parent(b), nullptr, nullptr) == 0; }},
      {"read_memory_of_parent", "other processes", reads_memory},
      {"environment_of_parent", "files", [](const Bait& b) { return opens_proc(b, "environ"); }},
      {"memory_file_of_parent", "files", [](const Bait& b) { return opens_proc(b, "mem"); }},
      {"root_of_parent", "files",
       [](const Bait& b) { return readable("/proc/" + b.at("parent") + "/root/etc/passwd"); }},
      {"become_root", "privileges", [](const Bait&) { return ::setuid(0) == 0 && ::geteuid() == 0; }},
      {"gain_privileges_by_exec", "privileges",
       [](const Bait&) { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1; }},
      {"mount", "system calls",
       [](const Bait&) { return ::mount("none", scratch().c_str(), "tmpfs", 0, nullptr) == 0; }},
      {"new_user_namespace", "system calls", [](const Bait&) { return ::unshare(CLONE_NEWUSER) == 0; }},
      {"join_namespace", "system calls",
       [](const Bait&) { return ::setns(::open("/proc/1/ns/mnt", O_RDONLY), 0) == 0; }},
      {"change_root", "system calls", [](const Bait&) { return ::chroot("/") == 0; }},
      {"make_a_disk_node", "system calls", opens_device},
      {"load_bpf", "system calls",
       [](const Bait&) { return ::syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != EPERM; }},
      {"io_uring", "system calls",
       [](const Bait&) { return ::syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != EPERM; }},
      {"keyring", "system calls", [](const Bait&) { return ::syscall(SYS_add_key, "user", "k", "v", 1, -3) >= 0; }},
      {"performance_counters", "system calls", opens_performance},
      {"set_the_clock", "system calls", sets_clock},
      {"type_into_the_terminal", "system calls", [](const Bait&) { return ::ioctl(0, TIOCSTI, "x") == 0; }},
      {"schedule_ahead_of_all", "privileges", schedules_ahead},
      {"huge_file", "file size", huge_file},
      {"memory_hog", "memory", hogs_memory},
      {"see_secrets_of_the_environment", "environment", sees_environment},
      {"inherit_descriptors", "environment", inherits_descriptors},
  };
  return all;
}

}  // namespace hone::escape
