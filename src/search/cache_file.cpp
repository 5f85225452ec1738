#include "search/cache_file.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "core/arithmetic.hpp"

namespace hone::search {

namespace {

double number_or_zero(const Json& fields, const char* name) {
  const auto found = fields.find(name);
  return found != fields.end() && is_finite_number(*found) ? found->get<double>() : 0;
}

double seconds_of(const Json& fields) {
  double milliseconds = 0;
  for (const char* cost : {"compile_time", "verification_time", "benchmark_time", "framework_time"}) {
    milliseconds += number_or_zero(fields, cost);
  }
  return milliseconds / 1000;
}

Result<std::vector<Parameter>> read_parameters(const Json& document) {
  std::vector<Parameter> parameters;
  const auto keys = document.find("tune_params_keys"), values = document.find("tune_params");
  if (keys == document.end() || !keys->is_array() || values == document.end() || !values->is_object()) {
    return fail("E-FORMAT", "a cache needs tune_params_keys and tune_params");
  }
  for (const auto& key : *keys) {
    if (!key.is_string() || !values->contains(key.get<std::string>())) {
      return fail("E-FORMAT", "tune_params has no values for " + key.dump());
    }
    Parameter parameter{key.get<std::string>(), {}, {}};
    for (const auto& item : (*values)[parameter.name]) {
      auto value = value_of(item);
      if (!value) return fail(std::move(value).error().context("parameter " + parameter.name));
      parameter.values.push_back(std::move(*value));
    }
    if (parameter.values.empty()) return fail("E-FORMAT", "parameter " + parameter.name + " has no values");
    parameter.default_value = parameter.values.front();
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

Result<Configuration> read_configuration(const Json& fields, const std::vector<Parameter>& parameters) {
  Configuration configuration;
  for (const auto& parameter : parameters) {
    const auto found = fields.find(parameter.name);
    if (found == fields.end()) return fail("E-FORMAT", "no value of " + parameter.name);
    auto value = value_of(*found);
    if (!value) return fail(value.error());
    configuration[parameter.name] = std::move(*value);
  }
  return configuration;
}

/// As Python prints a value within a key.
std::string key_part(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return print(value);
}

std::string key_of(const Configuration& configuration, const std::vector<Parameter>& parameters) {
  std::vector<std::string> parts;
  for (const auto& parameter : parameters) parts.push_back(key_part(configuration.at(parameter.name)));
  return join(parts, ",");
}

}  // namespace

Result<Cache> read_cache(std::string_view text) {
  auto document = parse_json(text);
  if (!document) return fail(document.error());
  if (!document->is_object() || !document->contains("cache") || !(*document)["cache"].is_object()) {
    return fail("E-FORMAT", "not a cache file: it has no object named cache");
  }
  Cache cache;
  auto parameters = read_parameters(*document);
  if (!parameters) return fail(parameters.error());
  cache.parameters = std::move(*parameters);
  const std::string objective =
      document->contains("objective") && (*document)["objective"].is_string() ? (*document)["objective"] : Json("time");
  for (auto& [key, fields] : (*document)["cache"].items()) {
    CacheEntry entry{key, {}, Outcome::failed(), seconds_of(fields), {}};
    auto configuration = read_configuration(fields, cache.parameters);
    if (!configuration) return fail(std::move(configuration).error().context("configuration " + key));
    entry.configuration = std::move(*configuration);
    const auto time = fields.find(objective);
    if (time != fields.end() && is_finite_number(*time)) entry.outcome = Outcome::measured(time->get<double>());
    entry.fields = std::move(fields);
    cache.entries.push_back(std::move(entry));
  }
  document->erase("cache");
  cache.header = std::move(*document);
  return cache;
}

std::string write_cache(const Cache& cache) {
  std::string out = print_json(cache.header, 0);
  out.resize(out.size() - 2);  // reopen: the entries follow
  out += ",\n\"cache\": {";
  for (std::size_t i = 0; i < cache.entries.size(); ++i) {
    const auto& entry = cache.entries[i];
    out += (i > 0 ? ",\n" : "\n") + Json(entry.key).dump() + ": " + print_json(entry.fields);
  }
  return out + "}\n}";
}

Cache make_cache(const CacheOrigin& origin, const Space& space, const std::vector<MeasuredEntry>& entries) {
  Cache cache;
  cache.parameters = space.parameters;
  cache.header["device_name"] = origin.device;
  cache.header["kernel_name"] = origin.kernel;
  cache.header["problem_size"] = origin.problem_size;
  cache.header["tune_params_keys"] = Json::array();
  cache.header["tune_params"] = Json::object();
  for (const auto& parameter : space.parameters) {
    cache.header["tune_params_keys"].push_back(parameter.name);
    auto& values = cache.header["tune_params"][parameter.name] = Json::array();
    for (const auto& value : parameter.values) values.push_back(json_of(value));
  }
  cache.header["objective"] = "time";
  for (const auto& measured : entries) {
    CacheEntry entry{key_of(measured.configuration, space.parameters), measured.configuration, measured.outcome, 0, {}};
    for (const auto& parameter : space.parameters) {
      entry.fields[parameter.name] = json_of(measured.configuration.at(parameter.name));
    }
    const bool timed = measured.outcome.kind == Outcome::Kind::Measured;
    entry.fields["time"] = timed ? Json(measured.outcome.value) : Json("RuntimeFailedConfig");
    if (timed) entry.fields["times"] = measured.samples;
    entry.fields["compile_time"] = measured.compile_ms;
    entry.fields["verification_time"] = measured.verification_ms;
    entry.fields["benchmark_time"] = measured.benchmark_ms;
    entry.fields["strategy_time"] = 0;
    entry.fields["framework_time"] = measured.framework_ms;
    entry.fields["timestamp"] = measured.timestamp;
    entry.seconds = seconds_of(entry.fields);
    cache.entries.push_back(std::move(entry));
  }
  return cache;
}

Result<Cache> read_measurements(std::string_view text) {
  // T4 has "results" where a cache has "cache"; which one is there first decides, without reading all of it twice.
  const auto head = text.substr(0, 100'000);
  const bool is_t4 =
      head.find("\"results\"") != std::string_view::npos && head.find("\"cache\"") == std::string_view::npos;
  return is_t4 ? read_t4(text) : read_cache(text);
}

Result<Region> region_of(const Cache& cache) {
  Space space;
  space.parameters = cache.parameters;
  std::vector<Configuration> configurations;
  configurations.reserve(cache.entries.size());
  for (const auto& entry : cache.entries) configurations.push_back(entry.configuration);
  return Region::of(space, configurations);
}

}  // namespace hone::search
