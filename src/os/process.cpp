#include "os/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "os/clock.hpp"

extern char** environ;  // NOLINT

namespace hone::os {

static bool set_limit(int what, std::uint64_t value) {
  struct rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return false;
  const rlim_t wanted = now.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, now.rlim_max);
  const struct rlimit capped{wanted, wanted};
  return ::setrlimit(static_cast<__rlimit_resource_t>(what), &capped) == 0;
}

Status apply(const Limits& limits) {
  std::string refused;
  const auto cap = [&](const char* name, int what, const std::optional<std::uint64_t>& value) {
    if (value && !set_limit(what, *value)) refused += std::string(refused.empty() ? "" : ", ") + name;
  };
  cap("memory", RLIMIT_AS, limits.memory_bytes);
  cap("CPU time", RLIMIT_CPU, limits.cpu_seconds);
  cap("file size", RLIMIT_FSIZE, limits.file_bytes);
  cap("processes", RLIMIT_NPROC, limits.processes);
  if (!limits.core_dumps) cap("core dumps", RLIMIT_CORE, 0);
  if (!refused.empty()) return fail("E-LIMIT", "the system refused to limit " + refused);
  return {};
}

std::string Exit::text() const {
  if (signal == 0) return "exit " + std::to_string(code);
  return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

static std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : added) all.emplace_back(name).append("=").append(value);
  return all;
}

static std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (auto& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// After fork only async-signal-safe calls: the parent may have threads. Everything with an allocation was made before.
struct Prepared {
  std::string program, folder;
  std::vector<std::string> words, environment;
  std::vector<char*> argv, envp;
};

[[noreturn]] static void become(const Prepared& prepared, const Limits& limits, std::array<int, 3> stdio, int report) {
  ::setpgid(0, 0);
  // Copies above 2 first, so that no source is overwritten before it is used.
  for (auto& fd : stdio) {
    if (fd < 0) fd = ::open("/dev/null", O_RDWR);
    fd = ::fcntl(fd, F_DUPFD, 10);
  }
  for (int i = 0; i < 3; ++i) {
    ::dup2(stdio[static_cast<std::size_t>(i)], i);
    ::close(stdio[static_cast<std::size_t>(i)]);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (limits.memory_bytes) set_limit(RLIMIT_AS, *limits.memory_bytes);
  if (limits.cpu_seconds) set_limit(RLIMIT_CPU, *limits.cpu_seconds);
  if (limits.file_bytes) set_limit(RLIMIT_FSIZE, *limits.file_bytes);
  if (limits.processes) set_limit(RLIMIT_NPROC, *limits.processes);
  if (!limits.core_dumps) set_limit(RLIMIT_CORE, 0);
  if (prepared.folder.empty() || ::chdir(prepared.folder.c_str()) == 0)
    ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.envp.data());
  const int code = errno;
  [[maybe_unused]] const auto told = ::write(report, &code, sizeof code);
  ::_exit(127);
}

Result<Child> Child::spawn(const Command& command, int in, int out, int err) {
  if (command.words.empty()) return fail("E-PROCESS", "no program to run");
  Prepared prepared;
  const auto& name = command.words[0];
  prepared.program = name.find('/') != std::string::npos ? name : find_program(name).string();
  if (prepared.program.empty()) return fail("E-PROCESS", name + " is not on PATH");
  prepared.folder = command.folder.string();
  prepared.words = command.words;
  prepared.environment = environment_with(command.environment);
  prepared.argv = pointers(prepared.words);
  prepared.envp = pointers(prepared.environment);

  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) return fail("E-PROCESS", std::string("pipe: ") + std::strerror(errno));
  const Fd listen(report[0]);
  Fd tell(report[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return fail("E-PROCESS", "starting " + name + ": " + std::strerror(errno));
  if (pid == 0) become(prepared, command.limits, {in, out, err}, tell.get());
  ::setpgid(pid, pid);
  tell.close();
  Child child(pid);
  int code = 0;
  ssize_t got = 0;
  while ((got = ::read(listen.get(), &code, sizeof code)) < 0 && errno == EINTR) {
  }
  if (got == static_cast<ssize_t>(sizeof code)) {
    child.end();
    return fail("E-PROCESS", "starting " + name + ": " + std::strerror(code));
  }
  return child;
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), ended_(other.ended_) {}
Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    ended_ = other.ended_;
  }
  return *this;
}
Child::~Child() { end(); }

static Exit exit_of(int status) {
  if (WIFSIGNALED(status)) return {.code = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = 0};
}

std::optional<Exit> Child::wait(Milliseconds limit) {
  const Deadline deadline(limit);
  auto pause = std::chrono::microseconds(100);
  while (!ended_ && pid_ > 0) {
    int status = 0;
    const pid_t got = ::waitpid(pid_, &status, WNOHANG);
    if (got == pid_) ended_ = exit_of(status);
    if (got < 0 && errno != EINTR) ended_ = Exit{.code = 127, .signal = 0};
    if (ended_ || deadline.passed()) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(5000));
  }
  return ended_;
}

Exit Child::end() {
  if (pid_ <= 0) return ended_.value_or(Exit{});
  // The group may outlive its leader: it is ended even when the leader is gone.
  ::kill(-pid_, SIGKILL);
  if (!ended_) {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    ended_ = exit_of(status);
  }
  pid_ = -1;
  return *ended_;
}

namespace {

/// Moves bytes between the parent and the three pipes of a child until all are closed or the deadline passes.
class Exchange {
 public:
  Exchange(const std::string& input, Fd in, Fd out, Fd err, std::size_t limit)
      : input_(input), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)), limit_(limit) {
    for (const auto* fd : {&in_, &out_, &err_}) ::fcntl(fd->get(), F_SETFL, ::fcntl(fd->get(), F_GETFL) | O_NONBLOCK);
    if (input_.empty()) in_.close();
  }
  /// False when the deadline passed first, or somebody wants to end.
  bool pump(const Deadline& deadline, Finished& finished, const std::function<bool()>& stop) {
    constexpr int look_up_every = 100;  // milliseconds
    while (out_ || err_) {
      if (stop && stop()) {
        finished.stopped = true;
        return false;
      }
      std::array<pollfd, 3> fds = {pollfd{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
      if (::poll(fds.data(), fds.size(),
                 stop ? std::min(deadline.poll_timeout(), look_up_every) : deadline.poll_timeout()) < 0 &&
          errno != EINTR)
        return true;
      if (deadline.passed()) return false;
      if (fds[0].revents != 0) feed();
      if (fds[1].revents != 0) drain(out_, finished.out);
      if (fds[2].revents != 0) drain(err_, finished.err);
    }
    return true;
  }

 private:
  void feed() {
    const ssize_t put = ::write(in_.get(), input_.data() + fed_, input_.size() - fed_);
    if (put > 0) fed_ += static_cast<std::size_t>(put);
    if (fed_ == input_.size() || (put < 0 && errno != EAGAIN && errno != EINTR)) in_.close();
  }
  void drain(Fd& fd, std::string& into) const {
    std::array<char, 1U << 16U> block;
    const ssize_t got = ::read(fd.get(), block.data(), block.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return fd.close();
    into.append(block.data(), std::min(static_cast<std::size_t>(got), limit_ - std::min(limit_, into.size())));
  }
  const std::string& input_;
  Fd in_, out_, err_;
  std::size_t limit_, fed_ = 0;
};

/// Writing to a program that no longer reads must be an error here, not the end of the parent. Only this thread is
/// touched: a signal that its own writes raise is taken off again.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec at_once{};
    while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

}  // namespace

Result<Finished> run(const Command& command, const std::string& input, Milliseconds limit, std::size_t output_limit,
                     const std::function<bool()>& stop) {
  std::array<std::array<int, 2>, 3> pipes{};
  std::vector<Fd> owned;
  for (auto& ends : pipes) {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("E-PROCESS", std::string("pipe: ") + std::strerror(errno));
    for (const int end : ends) owned.emplace_back(end);
  }
  const Deadline deadline(limit);
  auto child = Child::spawn(command, pipes[0][0], pipes[1][1], pipes[2][1]);
  if (!child) return fail(std::move(child).error());
  for (const std::size_t given : {0U, 3U, 5U}) owned[given].close();

  const WithoutSigpipe quiet;
  Finished finished;
  Exchange exchange(input, std::move(owned[1]), std::move(owned[2]), std::move(owned[4]), output_limit);
  bool in_time = exchange.pump(deadline, finished, stop);
  if (in_time) in_time = child->wait(Milliseconds(deadline.poll_timeout())).has_value();
  finished.timed_out = !in_time && !finished.stopped;
  finished.exit = child->end();
  return finished;
}

}  // namespace hone::os
