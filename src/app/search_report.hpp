#pragma once
// What a search has shown, for people, as data and as other tuners' files.

#include <nlohmann/json.hpp>
#include <string>

#include "core/mep.hpp"
#include "loop/by_shape.hpp"
#include "search/insight.hpp"

namespace hone::app {

/// Where to write what a search measured; an empty name writes nothing.
struct SearchFiles {
  std::string cache, t4, t1;
  bool any() const { return !cache.empty() || !t4.empty() || !t1.empty(); }
};

/// A few lines: which parameters mattered, what failed, whether it is worth going on.
std::string text_of(const search::Insight& insight);
nlohmann::json data_of(const search::Insight& insight);

/// The best configuration of each tune workload and the general one.
search::ShapeChoice choice_of(const loop::Searched& searched);

/// Kernel Tuner's cache, T4 and T1 of a search. Times become milliseconds; repeated measurements of a configuration one
/// entry; configurations that were stopped early are left out, since the formats know no bounds.
Status write_files(const SearchFiles& files, const Mep& mep, const std::string& device, const loop::Searched& searched);

}  // namespace hone::app
