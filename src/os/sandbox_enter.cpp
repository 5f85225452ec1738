#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "os/process.hpp"
#include "os/sandbox.hpp"
#include "os/sandbox_parts.hpp"

namespace hone::os {
namespace {

constexpr const char* kMarker = "--inside=";
constexpr const char* kScratch = "/tmp";
constexpr const char* kScratchBytes = "1073741824";

/// Where the process stood before: what it finds inside must differ, or that part does not hold.
std::string namespaces_now() {
  std::string all;
  for (const auto* kind : {"net", "pid", "mnt", "ipc", "user"}) {
    struct stat what{};
    const bool known = ::stat((std::string("/proc/self/ns/") + kind).c_str(), &what) == 0;
    all += (all.empty() ? "" : ",") + std::to_string(known ? what.st_ino : 0);
  }
  return all;
}

/// The marker carries what confine() has to know: means, outer user, outer namespaces, scratch folder.
std::vector<std::string> inner_command(const std::vector<std::string>& arguments, const char* means,
                                       const Path& scratch) {
  std::vector<std::string> words = {
      own_program().string(),
      kMarker + join({means, std::to_string(::getuid()), namespaces_now(), scratch.string()}, ",")};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

[[noreturn]] void replace_by(std::vector<std::string> words, std::vector<std::string> environment, int otherwise) {
  std::vector<char*> argv, envp;
  for (auto& word : words) argv.push_back(word.data());
  for (auto& entry : environment) envp.push_back(entry.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(otherwise);
}

std::vector<std::string> bubblewrap_words(const Path& program, bool as_root) {
  std::vector<std::string> words = {program.string()};
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  // Root stays root until confine() has become nobody: only so the limit on processes holds.
  if (as_root)
    add({"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--cap-add",
         "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  else
    add({"--unshare-all"});
  add({"--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size",
       kScratchBytes, "--tmpfs", kScratch});
  const auto bind = [&](const char* how, const Path& path) {
    // Folders on the way would be private to root.
    Path above;
    for (const auto& step : path.parent_path()) add({"--perms", "0755", "--dir", (above /= step).string()});
    // A link stays a link: runtimes find their files by "..", which leads elsewhere from a folder bound in its place.
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored))
      add({"--symlink", std::filesystem::read_symlink(path, ignored).string(), path.string()});
    else
      add({how, path.string(), path.string()});
  };
  const auto reach = reach_of_this_machine(kScratch);
  for (const auto& path : reach.readable) bind("--ro-bind", path);
  for (const auto& path : reach.devices) bind("--dev-bind", path);
  for (const auto& path : reach.writable)
    if (path != kScratch) bind("--bind", path);
  add({"--remount-ro", "/", "--chdir", kScratch});
  return words;
}

bool works(std::vector<std::string> words) {
  words.insert(words.end(), {"--", "/bin/true"});
  const auto tried =
      run({.words = std::move(words), .environment = {}, .folder = "/", .limits = {}}, "", Milliseconds(5000), 4096);
  return tried && !tried->timed_out && tried->exit.signal == 0 && tried->exit.code == 0;
}

/// Returns when bubblewrap is missing or does not work here.
void enter_bubblewrap(const std::vector<std::string>& arguments) {
  const auto program = find_program("bwrap");
  if (program.empty()) return;
  for (const bool as_root : {true, false}) {
    if (as_root && ::getuid() != 0) continue;
    auto words = bubblewrap_words(program, as_root);
    if (!works(words)) continue;
    words.emplace_back("--");
    for (auto& word : inner_command(arguments, "bubblewrap", kScratch)) words.push_back(std::move(word));
    replace_by(std::move(words), clean_environment(kScratch), 126);
  }
}

void write_file(const char* path, const std::string& text) {
  const Fd file(::open(path, O_WRONLY | O_CLOEXEC));
  [[maybe_unused]] const auto put = ::write(file.get(), text.data(), text.size());
}

bool unshare_everything() {
  constexpr int kAll = CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS;
  if (::getuid() == 0 && ::unshare(kAll) == 0) return true;
  const auto uid = std::to_string(::getuid()), gid = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | kAll) != 0) return false;
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", uid + " " + uid + " 1");
  write_file("/proc/self/gid_map", gid + " " + gid + " 1");
  return true;
}

/// All that is mounted becomes read-only, with a scratch folder in memory on top. Where the kernel is too old for it,
/// Landlock alone guards the files.
void guard_mounts(const Path& scratch) {
  struct {
    std::uint64_t set, clear, propagation, user_namespace;
  } read_only{.set = MS_RDONLY, .clear = 0, .propagation = 0, .user_namespace = 0};
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  ::syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only);
  ::mount("none", scratch.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
          (std::string("mode=1777,size=") + kScratchBytes).c_str());
}

/// Waits for `child` while collecting whatever else ends, then ends in the same way.
[[noreturn]] void end_like(pid_t child) {
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) ::_exit(127);
    if (ended == child) ::_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  }
}

/// Our own namespaces, one private folder, and the program as a grandchild: the first process of a namespace is immune
/// to signals that should end it. Returns when the namespaces cannot be had.
void enter_namespaces(const std::vector<std::string>& arguments, const char* means) {
  auto scratch = TempFolder::make("hone-worker");
  if (!scratch) return;
  const auto words = inner_command(arguments, means, scratch->path());
  const auto environment = clean_environment(scratch->path());
  ::chmod(scratch->path().c_str(), 01777);
  if (std::string_view(means) == "namespaces") {
    if (!unshare_everything()) return;
    guard_mounts(scratch->path());
  }
  const pid_t first = ::fork();
  if (first == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const pid_t second = ::fork();
    if (second != 0) end_like(second);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    replace_by(words, environment, 126);
  }
  int status = 0;
  while (::waitpid(first, &status, 0) < 0 && errno == EINTR) {
  }
  scratch = fail("", "");  // removes the folder: _exit runs no destructor
  ::_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

}  // namespace

std::optional<Enclosure> enclosure_named(const std::string& name) {
  if (name == "best") return Enclosure::Best;
  if (name == "bubblewrap") return Enclosure::Bubblewrap;
  if (name == "namespaces") return Enclosure::Namespaces;
  if (name == "none") return Enclosure::None;
  return std::nullopt;
}

bool is_inside(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]).starts_with(kMarker); }

Error enter(const std::vector<std::string>& arguments, Enclosure wanted) {
  // Whatever the parent left open beyond stdin, stdout and stderr is not for the program inside.
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  if (wanted == Enclosure::Best || wanted == Enclosure::Bubblewrap) enter_bubblewrap(arguments);
  if (wanted == Enclosure::Best || wanted == Enclosure::Namespaces) enter_namespaces(arguments, "namespaces");
  if (wanted == Enclosure::Best || wanted == Enclosure::None) enter_namespaces(arguments, "none");
  return Error("E-SANDBOX", "the enclosure that was asked for cannot be had here", "hone devices");
}

}  // namespace hone::os
