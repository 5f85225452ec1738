#include "app/session/conversation.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <string>
#include <vector>

#include "app/interrupt.hpp"
#include "app/session/line_buffer.hpp"
#include "os/unix_socket.hpp"

namespace hone::app {
namespace {

constexpr int kListenAgain = 250;  // milliseconds: so soon Ctrl-C is heard
constexpr std::size_t kMostSides = 16;

enum class Came { Bytes, Nothing, End };

Came read_into(LineBuffer& lines, int in) {
  char block[1 << 16];
  const auto got = ::read(in, block, sizeof(block));
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return Came::Nothing;
  if (got <= 0) return Came::End;
  lines.add({block, static_cast<std::size_t>(got)});
  return Came::Bytes;
}

bool wait_for(std::vector<pollfd>& all) { return ::poll(all.data(), all.size(), kListenAgain) > 0; }

bool write_line(int out, std::string text) {
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto put = ::write(out, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

std::string answer_to(Tongue& tongue, const LineBuffer::Line& line) {
  return line.too_long ? tongue.too_long() : tongue.answer(line.text);
}

struct Side {
  os::Fd socket;
  LineBuffer lines;
};

/// Whether the side is still there.
bool attend(Tongue& tongue, Side& side) {
  const auto came = read_into(side.lines, side.socket.get());
  while (auto line = side.lines.next()) {
    if (Interrupt::asked()) return false;
    if (line->text.empty() && !line->too_long) continue;
    const auto said = answer_to(tongue, *line);
    if (!said.empty() && !os::send_all(side.socket.get(), said + "\n")) return false;
  }
  return came != Came::End;
}

}  // namespace

void converse(Tongue& tongue, int in, int out) {
  LineBuffer lines;
  const auto attended = [&](const LineBuffer::Line& line) {
    const auto said = answer_to(tongue, line);
    return (said.empty() || write_line(out, said)) && !Interrupt::asked();
  };
  while (!Interrupt::asked()) {
    std::vector<pollfd> input = {{in, POLLIN, 0}};
    if (!wait_for(input)) continue;
    const auto came = read_into(lines, in);
    while (auto line = lines.next())
      if (!attended(*line)) return;
    if (came != Came::End) continue;
    if (auto line = lines.last()) attended(*line);
    return;
  }
}

void serve_all(Tongue& tongue, const os::Fd& listening) {
  std::list<Side> sides;
  while (!Interrupt::asked()) {
    std::vector<pollfd> all = {{listening.get(), POLLIN, 0}};
    for (const auto& side : sides) all.push_back({side.socket.get(), POLLIN, 0});
    if (!wait_for(all)) continue;
    std::size_t at = 1;
    for (auto side = sides.begin(); side != sides.end(); ++at)
      side = all[at].revents == 0 || attend(tongue, *side) ? std::next(side) : sides.erase(side);
    if (all.front().revents == 0) continue;
    os::Fd joined(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (joined && sides.size() < kMostSides) sides.push_back({std::move(joined), LineBuffer()});
  }
}

}  // namespace hone::app
