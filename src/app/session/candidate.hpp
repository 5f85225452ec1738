#pragma once
// A candidate as a request gives it: a whole answer in the form of `brief`, source with or without a manifest, a
// schedule, or a template's folder in the workspace. All become the Template that rules, models and people hand in.

#include <string>
#include <vector>

#include "app/calls/call.hpp"
#include "app/session/confined_path.hpp"
#include "core/device_session.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::app {

struct Candidate {
  Template made_of;
  Configuration configuration;      // its default, unless the request names another
  std::vector<std::string> mended;  // what code put right in it
};

/// For calls that take a candidate.
std::vector<CallParameter> with_candidate(std::vector<CallParameter> others);
/// Whether the request has one at all.
bool names_candidate(const CallRequest& request);
/// E-REQUEST when the request gives none, or several.
Result<Candidate> candidate_in(const CallRequest& request, const Workspace& workspace, const Mep& mep,
                               const DeviceInfo& device);

}  // namespace hone::app
