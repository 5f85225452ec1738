#pragma once
// Sockets that are files, for programs of one person on one machine.

#include "base/result.hpp"
#include "os/fd.hpp"
#include "os/files.hpp"

namespace hone::os {

/// A listening socket that only its owner may use. One that nobody answers any more is replaced; E-SOCKET when somebody
/// does, or when the path is too long for a socket.
Result<Fd> listen_at(const Path& path);
/// E-SOCKET when nobody listens there.
Result<Fd> connect_to(const Path& path);
/// All of it, or false: the other side is gone, or has not read for ten seconds.
bool send_all(int socket, std::string_view text);

}  // namespace hone::os
