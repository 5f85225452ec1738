#pragma once
// What is told of a patch: its tiers, its validation, and what a reader of the claim above it must know.

#include <string>
#include <vector>

#include "app/putting_back.hpp"
#include "report/report.hpp"

namespace hone::app {

struct PutBackWords {
  std::string application, kernel, patch_file;
};

void put_into(report::Run& run, const PutBack& put, const PutBackWords& words);
/// What a reader of the claim must know about the workloads it was made on.
std::vector<std::string> doubts_about(const Mep& mep, const std::string& check_command);

}  // namespace hone::app
