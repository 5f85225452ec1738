#pragma once
// The tile that is tried first. A short budget sees little else, so that it is what someone who knows the processor
// would write: as many sums at once as its registers hold, enough groups for all of its cores.

#include <optional>
#include <string>
#include <vector>

#include "core/device_session.hpp"
#include "rules/survey.hpp"

namespace hone::rules {

/// A step that takes several together: how many at most, and how many first.
struct FirstSize {
  Offer offer;
  std::string parameter;
  std::int64_t least = 1, most = 1, first = 1;
};

struct FirstTile {
  std::optional<FirstSize> lanes;
  std::vector<FirstSize> merges;
  std::vector<std::int64_t> group;  // by dimension
};

/// A vector, and what goes with it.
FirstTile first_tile(const Survey& survey, const DeviceInfo& device);
/// Work-items that go together without one.
FirstTile first_merges(const Survey& survey, const DeviceInfo& device);
/// Groups alone.
FirstTile first_groups(const Survey& survey, const DeviceInfo& device);

/// A number the device states.
std::int64_t device_fact(const DeviceInfo& device, const std::string& name, std::int64_t otherwise);

}  // namespace hone::rules
