#pragma once
// One look at the original or at a candidate, and what can be read off it: for `profile` and `suggest`.

#include "app/session/candidate.hpp"
#include "app/session/session.hpp"

namespace hone::app {

struct LookedAt {
  std::optional<Answer> refused;  // it could not be timed, and why
  Profile profile;
  loop::Advice advice;
  std::vector<std::string> moves;  // of the rules, on the original
};

Result<LookedAt> look_at(Session& session, const CallRequest& request);

}  // namespace hone::app
