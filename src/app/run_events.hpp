#pragma once
// The keys of what a run waits for, the same for who writes and who reads them.

#include <string>

#include "core/template.hpp"
#include "core/trial_log.hpp"

namespace hone::app {

std::string screen_key(const Variant& variant);
std::string confirm_key(const Variant& challenger, const Variant& incumbent, bool everywhere);
std::string arrival_key(std::size_t looked);
std::string known_key(const VerdictKey& key);

}  // namespace hone::app
