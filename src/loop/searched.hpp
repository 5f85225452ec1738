#pragma once
// What one template's search saw, kept for whoever wants to learn from it afterwards: insight, other tools' files, the
// best configuration of each shape.

#include <string>
#include <vector>

#include "core/space.hpp"
#include "search/workloads.hpp"

namespace hone::loop {

/// Every configuration that was tried, in order, with its outcome on each tune workload.
struct Searched {
  std::string template_name, proposer;
  Space space;  // the feasible one
  std::vector<search::Told> told;
  std::vector<search::ByShape> by_workload;  // beside `told`; times in nanoseconds
};

}  // namespace hone::loop
