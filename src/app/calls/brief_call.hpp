#pragma once
// The prompt's facts of a MEP, for `hone brief` and for agents.

#include "app/console.hpp"
#include "app/session/warm_mep.hpp"

namespace hone::app {

Answer brief_of(WarmMep& warm);

}  // namespace hone::app
