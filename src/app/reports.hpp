#pragma once
// Reports of finished runs, kept in the state folder for `hone report`.

#include <string>

#include "base/result.hpp"
#include "report/report.hpp"

namespace hone::app {

Status keep_report(const std::string& run, const report::Run& what);

}  // namespace hone::app
