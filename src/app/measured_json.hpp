#pragma once
// What a judge measured, as JSON and back, exactly: a replay decides by these numbers. Reading throws what the JSON
// library throws.

#include <nlohmann/json.hpp>

#include "core/confirmation.hpp"
#include "core/patch_limits.hpp"
#include "loop/ports.hpp"

namespace hone::app {

nlohmann::json to_json(const Verdict& verdict);
Verdict verdict_from(const nlohmann::json& json);
nlohmann::json to_json(const loop::Screened& screened);
loop::Screened screened_from(const nlohmann::json& json);
nlohmann::json to_json(const Confirmation& confirmation);
Confirmation confirmation_from(const nlohmann::json& json);
nlohmann::json to_json(const PatchLimits& limits);
PatchLimits limits_from(const nlohmann::json& json);

}  // namespace hone::app
