#include "store/records.hpp"

#include <nlohmann/json.hpp>

#include "core/samples_json.hpp"

namespace hone::store {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Configuration& configuration) {
  Json out = Json::object();
  for (const auto& [name, value] : configuration) {
    std::visit([&out, &name = name](const auto& plain) { out[name] = plain; }, value);
  }
  return out;
}

Configuration configuration_from(const Json& json) {
  Configuration out;
  for (const auto& [name, value] : json.items()) {
    if (value.is_boolean()) {
      out[name] = value.get<bool>();
    } else if (value.is_number_integer()) {
      out[name] = value.get<std::int64_t>();
    } else if (value.is_number()) {
      out[name] = value.get<double>();
    } else {
      out[name] = value.get<std::string>();
    }
  }
  return out;
}

Json to_json(const Verdict& verdict) {
  struct Visitor {
    Json operator()(const Timed& v) const {
      return {{"is", "Timed"}, {"span", as_json(v.span)}, {"busy", as_json(v.busy)}};
    }
    Json operator()(const WrongOutput& v) const {
      return {{"is", "WrongOutput"}, {"defence", v.defence}, {"reason", v.reason}};
    }
    Json operator()(const BuildFailed& v) const { return {{"is", "BuildFailed"}, {"reason", v.log}}; }
    Json operator()(const LaunchFailed& v) const { return {{"is", "LaunchFailed"}, {"reason", v.reason}}; }
    Json operator()(const Crashed& v) const { return {{"is", "Crashed"}, {"reason", v.reason}}; }
    Json operator()(const TimedOut& v) const { return {{"is", "TimedOut"}, {"reason", v.reason}}; }
    Json operator()(const Unsafe& v) const { return {{"is", "Unsafe"}, {"defence", v.defence}, {"reason", v.reason}}; }
    Json operator()(const Infeasible& v) const { return {{"is", "Infeasible"}, {"reason", v.reason}}; }
  };
  return std::visit(Visitor{}, verdict);
}

Verdict verdict_from(const Json& json) {
  const auto kind = json.at("is").get<std::string>();
  if (kind == "Timed") return Timed{samples_from(json.at("span")), samples_from(json.at("busy"))};
  const auto reason = json.at("reason").get<std::string>();
  if (kind == "WrongOutput") return WrongOutput{json.at("defence").get<std::string>(), reason};
  if (kind == "Unsafe") return Unsafe{json.at("defence").get<std::string>(), reason};
  if (kind == "BuildFailed") return BuildFailed{reason};
  if (kind == "LaunchFailed") return LaunchFailed{reason};
  if (kind == "Crashed") return Crashed{reason};
  if (kind == "TimedOut") return TimedOut{reason};
  if (kind == "Infeasible") return Infeasible{reason};
  throw std::invalid_argument("unknown verdict " + kind);
}

/// What compilers and kernels print need not be UTF-8; the log is.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class T, class Read>
Result<T> parsed(const std::string& text, Read read) {
  try {
    return read(Json::parse(text));
  } catch (const std::exception& fault) {
    return fail("E-STORE-RECORD", std::string("a record of the log cannot be read: ") + fault.what(),
                "hone check --log");
  }
}

}  // namespace

std::string to_record(const Trial& trial, const VerdictKey& key) {
  return dump({{"run", trial.run},
               {"variant", trial.variant},
               {"workload", trial.workload},
               {"device", trial.device},
               {"proposer", trial.proposer},
               {"template", trial.template_name},
               {"rationale", trial.rationale},
               {"configuration", to_json(trial.configuration)},
               {"verdict", to_json(trial.verdict)},
               {"round", trial.round},
               {"censored", trial.censored},
               {"key",
                {{"source", key.source},
                 {"options", key.options},
                 {"workload", key.workload},
                 {"device", key.device},
                 {"driver", key.driver},
                 {"protocol", key.protocol}}}});
}

Result<LoggedTrial> trial_from_record(const std::string& text) {
  return parsed<LoggedTrial>(text, [](const Json& json) {
    LoggedTrial out;
    const auto word = [&json](const char* name) { return json.at(name).get<std::string>(); };
    out.trial = {word("run"),
                 word("variant"),
                 word("workload"),
                 word("device"),
                 word("proposer"),
                 word("template"),
                 word("rationale"),
                 configuration_from(json.at("configuration")),
                 verdict_from(json.at("verdict")),
                 json.at("round").get<int>(),
                 json.value("censored", false)};
    const auto& key = json.at("key");
    const auto part = [&key](const char* name) { return key.at(name).get<std::string>(); };
    out.key = {part("source"), part("options"), part("workload"), part("device"), part("driver"), part("protocol")};
    return out;
  });
}

std::string to_record(const Pattern& pattern) {
  return dump({{"change", pattern.change},
               {"code", pattern.code},
               {"device", pattern.device},
               {"ratio", pattern.ratio},
               {"low", pattern.low},
               {"high", pattern.high},
               {"trial", pattern.trial},
               {"configuration", to_json(pattern.configuration)},
               {"source", pattern.source}});
}

Result<Pattern> pattern_from_record(const std::string& text) {
  return parsed<Pattern>(text, [](const Json& json) {
    const auto word = [&json](const char* name) { return json.at(name).get<std::string>(); };
    const auto number = [&json](const char* name) { return json.at(name).get<double>(); };
    return Pattern{word("change"),
                   word("code"),
                   word("device"),
                   number("ratio"),
                   number("low"),
                   number("high"),
                   word("trial"),
                   configuration_from(json.at("configuration")),
                   json.value("source", std::string())};
  });
}

}  // namespace hone::store
