#include "os/unix_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace hone::os {
namespace {

tl::unexpected<Error> socket_error(const Path& path, const std::string& what) {
  return fail("E-SOCKET", path.string() + ": " + what);
}

std::optional<sockaddr_un> address_of(const Path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof(address.sun_path)) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.native().size() + 1);
  return address;
}

Fd stream_socket() { return Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

bool connects(const Fd& socket, const sockaddr_un& address) {
  return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

}  // namespace

Result<Fd> connect_to(const Path& path) {
  const auto address = address_of(path);
  if (!address) return socket_error(path, "too long for a socket");
  auto socket = stream_socket();
  if (!socket || !connects(socket, *address)) return socket_error(path, std::strerror(errno));
  return socket;
}

Result<Fd> listen_at(const Path& path) {
  const auto address = address_of(path);
  if (!address) return socket_error(path, "too long for a socket");
  auto socket = stream_socket();
  if (!socket) return socket_error(path, std::strerror(errno));
  std::error_code none;
  if (std::filesystem::exists(path, none)) {
    if (!std::filesystem::is_socket(path, none)) return socket_error(path, "is there, and is no socket");
    if (connects(stream_socket(), *address)) return socket_error(path, "somebody serves there already");
    std::filesystem::remove(path, none);
  }
  const auto before = ::umask(0077);
  const int bound = ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof(*address));
  const int why = errno;
  ::umask(before);
  if (bound != 0) return socket_error(path, std::strerror(why));
  constexpr int waiting = 8;
  if (::listen(socket.get(), waiting) != 0) return socket_error(path, std::strerror(errno));
  return socket;
}

bool send_all(int socket, std::string_view text) {
  const timeval patience{10, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  while (!text.empty()) {
    const auto sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace hone::os
