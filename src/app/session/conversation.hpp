#pragma once
// Who is listened to: one side on two descriptors, or all who connect to a socket, one request after the other. A side
// that is gone, or says what is no request, costs nobody else anything.

#include "app/session/protocol.hpp"
#include "base/result.hpp"
#include "os/fd.hpp"

namespace hone::app {

/// Until the input ends, the other side does not read any more, or Ctrl-C.
void converse(Tongue& tongue, int in, int out);
/// Until Ctrl-C.
void serve_all(Tongue& tongue, const os::Fd& listening);

}  // namespace hone::app
