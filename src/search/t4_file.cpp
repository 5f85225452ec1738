// The community's T4 results. Each result keeps all fields it was read with; what a cache has more (benchmark time,
// parameters without any result) is not in the format.

#include <algorithm>
#include <map>

#include "core/arithmetic.hpp"
#include "search/cache_file.hpp"

namespace hone::search {

namespace {

bool less(const Value& a, const Value& b) {
  const auto ordered = compare("<", a, b);
  return ordered ? *ordered : a.index() < b.index();
}

double cost(const Json& result) {
  double milliseconds = 0;
  if (!result.contains("times")) return 0;
  for (const char* name : {"compilation", "compilation_time", "benchmark", "framework", "validation"}) {
    const auto& times = result["times"];
    if (times.contains(name) && is_finite_number(times[name])) milliseconds += times[name].get<double>();
  }
  return milliseconds / 1000;
}

Outcome outcome_of(const Json& result) {
  if (result.value("invalidity", "correct") != "correct") return Outcome::failed();
  std::string objective = "time";
  if (result.contains("objectives") && !result["objectives"].empty() && result["objectives"][0].is_string()) {
    objective = result["objectives"][0];
  }
  if (!result.contains("measurements")) return Outcome::failed();
  for (const auto& measurement : result["measurements"]) {
    const bool ours = measurement.is_object() && measurement.contains("name") && measurement["name"] == objective;
    if (ours && measurement.contains("value") && is_finite_number(measurement["value"])) {
      return Outcome::measured(measurement["value"].get<double>());
    }
  }
  return Outcome::failed();
}

/// The values that appear, for a format without a list of parameters.
std::vector<Parameter> parameters_of(const std::vector<CacheEntry>& entries, const std::vector<std::string>& names) {
  std::vector<Parameter> parameters;
  for (const auto& name : names) {
    Parameter parameter{name, {}, {}};
    for (const auto& entry : entries) {
      const auto& value = entry.configuration.at(name);
      const auto at = std::lower_bound(parameter.values.begin(), parameter.values.end(), value, less);
      if (at == parameter.values.end() || !(*at == value)) parameter.values.insert(at, value);
    }
    parameter.default_value = parameter.values.front();
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

/// A cache's fields as a T4 result.
Json t4_of(const Cache& cache, const CacheEntry& entry) {
  static const std::map<std::string, const char*> times = {
      {"compile_time", "compilation"},       {"benchmark_time", "benchmark"},     {"framework_time", "framework"},
      {"strategy_time", "search_algorithm"}, {"verification_time", "validation"}, {"times", "runtimes"}};
  Json result;
  if (entry.fields.contains("timestamp")) result["timestamp"] = entry.fields["timestamp"];
  for (const auto& parameter : cache.parameters) result["configuration"][parameter.name] = entry.fields[parameter.name];
  Json measurements = Json::array();
  result["times"] = Json::object();
  for (const auto& [name, value] : entry.fields.items()) {
    const auto time = times.find(name);
    if (time != times.end()) {
      result["times"][time->second] = value;
    } else if (!entry.configuration.contains(name) && name != "timestamp") {
      const bool timed = name == "time";
      measurements.push_back({{"name", name}, {"value", value}, {"unit", timed ? "ms" : ""}});
    }
  }
  if (!result["times"].contains("runtimes")) result["times"]["runtimes"] = Json::array();
  const bool measured = entry.outcome.kind == Outcome::Kind::Measured;
  const bool compile = !measured && entry.fields.value("time", Json()) == "CompilationFailedConfig";
  result["invalidity"] = measured ? "correct" : (compile ? "compile" : "runtime");
  result["correctness"] = 1;
  result["measurements"] = std::move(measurements);
  result["objectives"] = {"time"};
  return result;
}

}  // namespace

Result<Cache> read_t4(std::string_view text) {
  auto document = parse_json(text);
  if (!document) return fail(document.error());
  if (!document->is_object() || !document->contains("results") || !(*document)["results"].is_array()) {
    return fail("E-FORMAT", "not a T4 file: it has no list named results");
  }
  Cache cache;
  std::vector<std::string> names;
  for (auto& result : (*document)["results"]) {
    if (!result.is_object() || !result.contains("configuration") || !result["configuration"].is_object()) {
      return fail("E-FORMAT", "a T4 result has no configuration");
    }
    CacheEntry entry{"", {}, outcome_of(result), cost(result), {}};
    for (const auto& [name, item] : result["configuration"].items()) {
      auto value = value_of(item);
      if (!value) return fail(std::move(value).error().context("configuration"));
      if (cache.entries.empty()) names.push_back(name);
      if (!entry.key.empty()) entry.key += ',';
      const auto* string = std::get_if<std::string>(&*value);
      entry.key += string != nullptr ? *string : print(*value);
      entry.configuration[name] = std::move(*value);
    }
    const bool same =
        entry.configuration.size() == names.size() &&
        std::all_of(names.begin(), names.end(), [&](const auto& n) { return entry.configuration.contains(n); });
    if (!same) return fail("E-FORMAT", "T4 results differ in their parameters: " + entry.key);
    entry.fields = std::move(result);
    cache.entries.push_back(std::move(entry));
  }
  if (cache.entries.empty()) return fail("E-FORMAT", "the T4 file has no results");
  cache.parameters = parameters_of(cache.entries, names);
  (*document)["results"] = Json::array();
  cache.header = std::move(*document);
  return cache;
}

std::string write_t4(const Cache& cache) {
  Json document = cache.header;
  const bool from_t4 = document.contains("results");
  if (!from_t4)
    document = {{"metadata", {{"timeunit", "milliseconds"}}}, {"results", Json::array()}, {"schema_version", "1.0.0"}};
  for (const auto& entry : cache.entries) {
    document["results"].push_back(from_t4 ? entry.fields : t4_of(cache, entry));
  }
  return print_json(document);
}

}  // namespace hone::search
