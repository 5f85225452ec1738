#pragma once
// What makes two commands the same run. Everything a person can say that changes what is tried, or how it is judged,
// is in it; contents count, not the names of files.

#include <string>
#include <vector>

#include "app/improve.hpp"
#include "core/template.hpp"
#include "core/trial_log.hpp"

namespace hone::app {

/// `prior`: the text of the file of earlier measurements; empty when there is none.
RunKey run_key(const std::string& mep_hash, const ImproveOptions& options, const std::vector<Template>& templates,
               const std::string& prior, const DeviceInfo& device);

}  // namespace hone::app
