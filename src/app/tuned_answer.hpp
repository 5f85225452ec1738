#pragma once
// What a search has shown beside what was proven, for `hone tune` and for agents.

#include "app/console.hpp"
#include "loop/rounds.hpp"

namespace hone::app {

/// The search of the template that won; the first one when nothing did; null when there was none.
const loop::Searched* chosen_search(const loop::Outcome& outcome);
/// Below what was proven.
Status add_insight(Answer& answer, const loop::Outcome& outcome);

}  // namespace hone::app
