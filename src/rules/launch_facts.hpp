#pragma once
// What the launches of a Mep say about one kernel: how it is grouped, which of its pointers never share a buffer. Rules
// need this to know how the geometry may change and what cannot alias.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/mep.hpp"

namespace hone::rules {

struct LaunchFacts {
  std::size_t dimensions = 1;
  bool launched = false;         // some workload launches it
  bool offset = false;           // some launch starts at another index than 0
  bool grouped = false;          // every launch says its work-group size
  std::vector<long long> grain;  // by dimension: what divides the work-group size at every launch; 1 when unknown
  std::vector<std::set<std::string>> sizes;       // by dimension: arguments that are its size at every launch
  std::vector<std::vector<std::string>> buffers;  // per launch: what each argument, in order, is bound to
  std::vector<std::string> arguments;

  /// Two pointer arguments are never bound to the same buffer.
  bool distinct(const std::string& a, const std::string& b) const;
};

LaunchFacts launch_facts(const Mep& mep, const std::string& kernel);

}  // namespace hone::rules
