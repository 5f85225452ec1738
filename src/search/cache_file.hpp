#pragma once
// Kernel Tuner's cache files and the community's T4 results: brute-forced or partial measurements of a space. In: text.
// Out: the same values with their costs, and the text again, with every field that was read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/space.hpp"
#include "search/json_values.hpp"
#include "search/strategy.hpp"

namespace hone::search {

struct CacheEntry {
  std::string key;  // values joined by commas, as the format names a configuration
  Configuration configuration;
  Outcome outcome;     // the objective in the file's unit, or Failed
  double seconds = 0;  // compile + verification + benchmark + framework: what the evaluation cost
  Json fields;         // all of it, as read
};

struct Cache {
  Json header;  // everything but the entries, in its order
  std::vector<Parameter> parameters;
  std::vector<CacheEntry> entries;
};

Result<Cache> read_cache(std::string_view text);
/// Laid out as Kernel Tuner does, so that it can go on appending.
std::string write_cache(const Cache& cache);

/// Where a cache comes from when Hone measured it itself. Times are in milliseconds.
struct CacheOrigin {
  std::string device, kernel;
  std::vector<std::int64_t> problem_size;
};
struct MeasuredEntry {
  Configuration configuration;
  Outcome outcome;
  std::vector<double> samples;
  double compile_ms = 0, verification_ms = 0, benchmark_ms = 0, framework_ms = 0;
  std::string timestamp;
};
Cache make_cache(const CacheOrigin& origin, const Space& space, const std::vector<MeasuredEntry>& entries);

/// T4 has no list of parameters: their values are those that appear, in ascending order.
Result<Cache> read_t4(std::string_view text);
std::string write_t4(const Cache& cache);

/// Either format, told apart by what is in it.
Result<Cache> read_measurements(std::string_view text);

/// The cache's points as a region: exactly the configurations it holds.
Result<Region> region_of(const Cache& cache);

}  // namespace hone::search
