#pragma once
// The calls by name, for the table and for whoever needs one of them.

#include "app/calls/call.hpp"

namespace hone::app {

extern const Call scan_call, extract_call, brief_call, profile_call, suggest_call, check_call, tune_call, apply_call;

}  // namespace hone::app
