#include "app/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace hone::app {

int finish(const Command& command, bool json) {
  const auto answer = command();
  if (!answer) {
    if (json) {
      const auto& e = answer.error();
      const nlohmann::json data = {{"error", {{"code", e.code()}, {"message", e.message()}, {"next", e.next()}}}};
      fmt::print("{}\n", data.dump(2));
    } else {
      fmt::print(stderr, "hone: {}\n", answer.error().text());
    }
    return static_cast<int>(ExitCode::Misuse);
  }
  if (json)
    fmt::print("{}\n", answer->data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    fmt::print("{}", answer->text);
  std::fflush(stdout);
  return static_cast<int>(answer->code);
}

Console::Console(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void Console::note(const std::string& line) {
  if (!quiet_) must_be_read(line);
}

void Console::must_be_read(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear();
  fmt::print(stderr, "{}\n", line);
}

static std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void Console::progress(const std::function<std::string(std::size_t width)>& line) {
  if (quiet_ || !terminal_) return;
  const std::lock_guard lock(mutex_);
  fmt::print(stderr, "\r\x1b[K{}", line(terminal_width() - 1));
  std::fflush(stderr);
  shown_ = true;
}

void Console::clear_progress() {
  const std::lock_guard lock(mutex_);
  clear();
}

void Console::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace hone::app
