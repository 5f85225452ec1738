#include "app/measured_json.hpp"

#include <algorithm>

#include "core/samples_json.hpp"

namespace hone::app {
namespace {

using Json = nlohmann::json;

Json timed_json(const Timed& timed) { return {{"span", as_json(timed.span)}, {"busy", as_json(timed.busy)}}; }
Timed timed_from(const Json& json) { return {samples_from(json.at("span")), samples_from(json.at("busy"))}; }

Json comparison_json(const Comparison& c) {
  return {{"call", static_cast<int>(c.call)},
          {"ratio", c.ratio},
          {"low", c.low},
          {"high", c.high},
          {"confidence", c.confidence},
          {"pairs", c.pairs},
          {"incumbent", c.incumbent.count()},
          {"challenger", c.challenger.count()}};
}

Comparison comparison_from(const Json& json) {
  Comparison out;
  out.call = static_cast<Comparison::Call>(std::clamp(json.at("call").get<int>(), 0, 4));
  out.ratio = json.at("ratio"), out.low = json.at("low"), out.high = json.at("high");
  out.confidence = json.at("confidence"), out.pairs = json.at("pairs");
  out.incumbent = Nanoseconds(json.at("incumbent").get<double>());
  out.challenger = Nanoseconds(json.at("challenger").get<double>());
  return out;
}

}  // namespace

Json to_json(const Verdict& verdict) {
  Json out = {{"kind", name_of(verdict)}, {"reason", reason_of(verdict)}, {"defence", defence_of(verdict)}};
  if (const auto* timed = std::get_if<Timed>(&verdict)) out["timed"] = timed_json(*timed);
  return out;
}

Verdict verdict_from(const Json& json) {
  const auto kind = json.at("kind").get<std::string>();
  const auto reason = json.at("reason").get<std::string>(), defence = json.at("defence").get<std::string>();
  if (kind == "Timed") return timed_from(json.at("timed"));
  if (kind == "WrongOutput") return WrongOutput{defence, reason};
  if (kind == "BuildFailed") return BuildFailed{reason};
  if (kind == "LaunchFailed") return LaunchFailed{reason};
  if (kind == "Crashed") return Crashed{reason};
  if (kind == "TimedOut") return TimedOut{reason};
  if (kind == "Unsafe") return Unsafe{defence, reason};
  return Infeasible{reason};
}

Json to_json(const loop::Screened& screened) {
  Json times = Json::object();
  for (const auto& [workload, timed] : screened.times) times[workload] = timed_json(timed);
  return {{"verdict", to_json(screened.verdict)}, {"times", times}, {"censored", screened.censored}};
}

loop::Screened screened_from(const Json& json) {
  loop::Screened out{verdict_from(json.at("verdict")), {}, json.at("censored").get<bool>()};
  for (const auto& [workload, timed] : json.at("times").items()) out.times[workload] = timed_from(timed);
  return out;
}

Json to_json(const Confirmation& confirmation) {
  Json workloads = Json::array();
  for (const auto& one : confirmation.workloads)
    workloads.push_back({{"workload", one.workload},
                         {"role", static_cast<int>(one.role)},
                         {"comparison", comparison_json(one.comparison)},
                         {"incumbent", timed_json(one.incumbent)},
                         {"challenger", timed_json(one.challenger)}});
  Json out = {{"verdict", to_json(confirmation.verdict)},
              {"comparison", comparison_json(confirmation.comparison)},
              {"workloads", workloads},
              {"notes", confirmation.notes},
              {"checks", confirmation.checks}};
  if (confirmation.noise_floor) out["noise_floor"] = *confirmation.noise_floor;
  return out;
}

Confirmation confirmation_from(const Json& json) {
  Confirmation out{verdict_from(json.at("verdict")),
                   comparison_from(json.at("comparison")),
                   {},
                   json.at("notes"),
                   json.at("checks"),
                   {}};
  for (const auto& one : json.at("workloads"))
    out.workloads.push_back(
        {one.at("workload").get<std::string>(), static_cast<Role>(std::clamp(one.at("role").get<int>(), 0, 2)),
         comparison_from(one.at("comparison")), timed_from(one.at("incumbent")), timed_from(one.at("challenger"))});
  if (json.contains("noise_floor")) out.noise_floor = json.at("noise_floor").get<double>();
  return out;
}

Json to_json(const PatchLimits& limits) {
  Json kernels = Json::array();
  for (const auto& one : limits.kernels)
    kernels.push_back({{"kernel", one.kernel},
                       {"tier", static_cast<int>(one.tier)},
                       {"has_local", one.has_local},
                       {"fixed_local", one.fixed_local},
                       {"dimensions", one.dimensions},
                       {"reason", one.reason},
                       {"place", one.place}});
  return {{"applies", limits.applies}, {"kernels", kernels}, {"options", limits.options}};
}

PatchLimits limits_from(const Json& json) {
  PatchLimits out;
  out.applies = json.at("applies");
  out.options = json.at("options").get<std::vector<std::string>>();
  for (const auto& one : json.at("kernels"))
    out.kernels.push_back({one.at("kernel"), static_cast<LaunchTier>(std::clamp(one.at("tier").get<int>(), 0, 2)),
                           one.at("has_local"), one.value("fixed_local", false), one.at("dimensions"), one.at("reason"),
                           one.at("place")});
  return out;
}

}  // namespace hone::app
