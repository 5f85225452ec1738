#pragma once
// Several tune workloads: which of them a kernel can tell apart, and which configuration of one template is best for
// each. In: what a search saw. Out: the sizes that deserve a configuration of their own; the general one is the rest.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/confirmation.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"
#include "loop/searched.hpp"

namespace hone::loop {

/// Tune workloads that look alike to the kernels: those have the same values of every scalar the kernels get.
struct SizeGroup {
  std::map<std::string, Value> when;
  std::vector<std::string> workloads;
};
std::vector<SizeGroup> size_groups(const Mep& mep);

struct SizeChoice {
  std::map<std::string, Value> when;
  std::vector<std::string> workloads;
  Configuration configuration;
  double gain = 0;  // as screened: the general one's time by this one's, minus one
};

/// What a search saw as a table, repeated measurements as one.
search::ShapeTable table_of(const Searched& searched);

/// The groups whose best configuration is more than `floor` faster there than the general one.
std::vector<SizeChoice> own_configurations(const std::vector<SizeGroup>& groups, const search::ShapeTable& table,
                                           const Configuration& general, double floor);

/// The second result of a run with several tune workloads.
struct ShapeResults {
  std::vector<SizeChoice> own;
  Variant variant;                    // one that chooses among them, the general configuration for the rest
  std::optional<Confirmation> proof;  // of it against K(0), everywhere; absent: see why_not
  std::string why_not;
};

/// Not slower than the general one over the tune workloads, by what both were proven to reach.
bool is_worth_it(const ShapeResults& results, const Confirmation& general);

}  // namespace hone::loop
