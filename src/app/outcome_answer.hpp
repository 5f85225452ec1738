#pragma once
// What a finished loop is told as: report's Run, made of the pieces app/ has.

#include "app/console.hpp"
#include "app/improve.hpp"
#include "report/report.hpp"

namespace hone::app {

report::Run run_of(const Mep& mep, const Improved& improved);
/// Exit 0 when something faster was proven, 1 otherwise.
Answer answer_of(const report::Run& run, const Improved& improved);

}  // namespace hone::app
