#include "source/host/contained.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace hone::host {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Piece {
  std::size_t index = 0;
  pid_t process = -1;
  int from = -1;
  SteadyClock::time_point deadline;  // of one that waits for something; its processor time is limited by the kernel
};

void write_all(int to, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const auto wrote = write(to, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) return;
    done += static_cast<std::size_t>(wrote);
  }
}

[[noreturn]] void in_child(int to, std::size_t index, const std::function<std::string(std::size_t)>& work,
                           const ContainedLimits& limits) {
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  for (const int caught : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS, SIGINT, SIGTERM}) std::signal(caught, SIG_DFL);
  const auto seconds = static_cast<rlim_t>(limits.each.count() / 1000 + 1);
  const rlimit cpu = {seconds, seconds};
  setrlimit(RLIMIT_CPU, &cpu);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit memory = {limits.memory_bytes, limits.memory_bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  write_all(to, work(index));
  close(to);
  _exit(0);
}

/// Of children that ended.
std::chrono::milliseconds children_used() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return std::chrono::milliseconds((used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                                   (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
}

std::string how_it_ended(int status, const ContainedLimits& limits) {
  const bool too_long = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  if (too_long) return fmt::format("took longer than {} s", limits.each.count() / 1000);
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return fmt::format("ended with {}", WEXITSTATUS(status));
  return {};
}

void finish(Piece& piece, std::vector<Contained>& out, const std::string& because, const ContainedLimits& limits) {
  if (!because.empty()) kill(piece.process, SIGKILL);
  close(piece.from);
  int status = 0;
  while (waitpid(piece.process, &status, 0) < 0 && errno == EINTR) {
  }
  out[piece.index].problem = because.empty() ? how_it_ended(status, limits) : because;
}

}  // namespace

std::vector<Contained> contained(std::size_t count, const std::function<std::string(std::size_t)>& work,
                                 const ContainedLimits& limits) {
  std::vector<Contained> out(count);
  std::vector<Piece> running;
  const auto used_before = children_used();
  constexpr int patience = 8;  // times the processor time, for a machine that is busy with other things
  std::size_t next = 0;
  std::size_t ended = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < static_cast<std::size_t>(std::max(limits.parallel, 1))) {
      const auto index = next++;
      int ends[2];
      if (children_used() - used_before >= limits.total) {
        out[index].problem = "not begun, the time for all files was over";
        continue;
      }
      if (pipe2(ends, O_CLOEXEC) != 0) {
        out[index].problem = "no pipe";
        continue;
      }
      const pid_t process = fork();
      if (process == 0) {
        close(ends[0]);
        in_child(ends[1], index, work, limits);
      }
      close(ends[1]);
      if (process < 0) {
        close(ends[0]);
        out[index].problem = "no process";
        continue;
      }
      running.push_back({index, process, ends[0], SteadyClock::now() + patience * limits.each});
    }
    std::vector<pollfd> waits;
    auto first = SteadyClock::time_point::max();
    for (const auto& piece : running) {
      waits.push_back({piece.from, POLLIN, 0});
      first = std::min(first, piece.deadline);
    }
    if (waits.empty()) continue;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - SteadyClock::now()).count();
    poll(waits.data(), waits.size(), static_cast<int>(std::clamp<long long>(left + 1, 0, 60000)));
    std::vector<Piece> still;
    for (std::size_t i = 0; i < running.size(); ++i) {
      auto& piece = running[i];
      bool over = false;
      if ((waits[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        char block[65536];
        const auto got = read(piece.from, block, sizeof block);
        if (got > 0) out[piece.index].bytes.append(block, static_cast<std::size_t>(got));
        over = got == 0 || (got < 0 && errno != EINTR);
      }
      if (over) {
        finish(piece, out, {}, limits);
      } else if (SteadyClock::now() >= piece.deadline) {
        finish(piece, out, "did not answer", limits);
      } else {
        still.push_back(piece);
      }
    }
    const auto done = running.size() - still.size();
    ended += done;
    if (done > 0 && limits.finished) limits.finished(ended);
    running = std::move(still);
  }
  return out;
}

}  // namespace hone::host
