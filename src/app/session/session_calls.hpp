#pragma once
// The table of calls over one session, as the tongues speak of it.

#include "app/session/protocol.hpp"
#include "app/session/session.hpp"

namespace hone::app {

/// `session` outlives it.
Callable calls_of(Session& session);

}  // namespace hone::app
