#pragma once
// Trials and patterns as JSON text, exactly: every sample of a time comes back as it was.

#include <string>

#include "base/result.hpp"
#include "core/knowledge.hpp"
#include "core/trial_log.hpp"

namespace hone::store {

std::string to_record(const Trial& trial, const VerdictKey& key);
Result<LoggedTrial> trial_from_record(const std::string& text);
std::string to_record(const Pattern& pattern);
Result<Pattern> pattern_from_record(const std::string& text);

}  // namespace hone::store
