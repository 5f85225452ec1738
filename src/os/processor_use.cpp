#include "os/processor_use.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace hone::os {
namespace {

Fd account_of(const std::filesystem::path& task) {
  return Fd(::open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC));
}

/// "ran waited slices", in nanoseconds.
ProcessorUse read_account(const Fd& account) {
  std::array<char, 96> text{};
  const ssize_t got = account ? ::pread(account.get(), text.data(), text.size(), 0) : 0;
  if (got <= 0) return {};
  const char* const end = text.data() + got;
  std::uint64_t ran = 0, waited = 0;
  const auto first = std::from_chars(text.data(), end, ran);
  if (first.ptr == end) return {};
  std::from_chars(first.ptr + 1, end, waited);
  return {Nanoseconds(static_cast<double>(ran)), Nanoseconds(static_cast<double>(waited))};
}

template <class Work>
void each_task(const std::string& process, const Work& work) {
  std::error_code gone;
  for (std::filesystem::directory_iterator at("/proc/" + process + "/task", gone), end; !gone && at != end;
       at.increment(gone))
    work(at->path());
}

/// The calling thread as /proc numbers it, which is not as it numbers itself where /proc belongs to another process
/// namespace.
std::string calling_thread() {
  std::error_code unknown;
  const auto link = std::filesystem::read_symlink("/proc/thread-self", unknown);
  return unknown ? std::to_string(::gettid()) : link.filename().string();
}

}  // namespace

ProcessorUse processor_use(pid_t root) {
  ProcessorUse total;
  clockid_t clock{};
  timespec spent{};
  // The process's clock has the threads that ended as well.
  if (::clock_getcpuclockid(root, &clock) == 0 && ::clock_gettime(clock, &spent) == 0)
    total.ran += Nanoseconds(static_cast<double>(spent.tv_sec) * 1e9 + static_cast<double>(spent.tv_nsec));
  const auto id = std::to_string(root);
  each_task(id, [&](const std::filesystem::path& task) { total.waited += read_account(account_of(task)).waited; });
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) {
    const auto use = processor_use(child);
    total.ran += use.ran;
    total.waited += use.waited;
  }
  return total;
}

OwnThreads::OwnThreads() {
  const auto caller = calling_thread();
  each_task("self", [&](const std::filesystem::path& task) {
    auto account = account_of(task);
    if (!account) return;
    if (task.filename() == caller)
      caller_ = std::move(account);
    else
      others_.push_back(std::move(account));
  });
}

OwnThreads::Use OwnThreads::now() const {
  Use use;
  use.caller = read_account(caller_);
  for (const auto& thread : others_) {
    const auto one = read_account(thread);
    use.others.ran += one.ran;
    use.others.waited += one.waited;
  }
  return use;
}

ProcessorUse OwnThreads::Use::since(const Use& before) const {
  constexpr double kTakesPart = 0.2;
  auto use = others - before.others;
  const auto mine = caller - before.caller;
  if (mine.ran > (mine.ran + use.ran) * kTakesPart) use.waited += mine.waited;
  use.ran += mine.ran;
  return use;
}

}  // namespace hone::os
