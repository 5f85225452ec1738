#pragma once
// What a claim is made of, from the judge that measured it to the page that shows it: one type, one set of pairs, one
// ratio. The headline is the tune workloads' ratio; held-out and awkward ones stand beside it.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/verdict.hpp"

namespace hone {

struct WorkloadComparison {
  std::string workload;
  Role role = Role::Tune;
  Comparison comparison;
  Timed incumbent, challenger;  // every sample taken, those left out of the pairs too
};

/// `verdict` is Timed only when every defence passed on every workload.
struct Confirmation {
  Verdict verdict;        // of the challenger; Timed on the first tune workload when nothing rejected it
  Comparison comparison;  // over the tune workloads
  std::vector<WorkloadComparison> workloads;
  std::vector<std::string> notes;
  std::vector<std::string> checks;    // that it passed, in words
  std::optional<double> noise_floor;  // of this machine, as a share of the time

  bool proves_faster() const {
    return std::holds_alternative<Timed>(verdict) && comparison.call == Comparison::Call::Faster;
  }
};

/// The one public shape of a comparison. A busy machine gives no figures.
nlohmann::json as_json(const Comparison& comparison);
nlohmann::json as_json(const WorkloadComparison& one);

}  // namespace hone
