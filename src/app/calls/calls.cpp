#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/calls/all_calls.hpp"
#include "base/text.hpp"

namespace hone::app {
namespace {

using Kind = CallParameter::Kind;

constexpr std::array kAllCalls = {&scan_call,    &extract_call, &brief_call, &profile_call,
                                  &suggest_call, &check_call,   &tune_call,  &apply_call};

bool is_of(Kind kind, const nlohmann::json& value) {
  const auto is_text = [](const nlohmann::json& one) { return one.is_string(); };
  const auto is_value = [](const nlohmann::json& one) {
    return one.is_number() || one.is_string() || one.is_boolean();
  };
  switch (kind) {
    case Kind::Text: return value.is_string();
    case Kind::Texts: return value.is_array() && std::all_of(value.begin(), value.end(), is_text);
    case Kind::Flag: return value.is_boolean();
    case Kind::Values: return value.is_object() && std::all_of(value.begin(), value.end(), is_value);
  }
  return false;
}

std::string_view in_words(Kind kind) {
  switch (kind) {
    case Kind::Text: return "a text";
    case Kind::Texts: return "a list of texts";
    case Kind::Flag: return "true or false";
    case Kind::Values: return "an object of numbers and texts";
  }
  return "";
}

nlohmann::json type_of(Kind kind) {
  switch (kind) {
    case Kind::Text: return {{"type", "string"}};
    case Kind::Texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case Kind::Flag: return {{"type", "boolean"}};
    case Kind::Values: return {{"type", "object"}};
  }
  return nlohmann::json::object();
}

std::string names_of_calls() {
  std::vector<std::string> names;
  for (const auto* call : kAllCalls) names.emplace_back(call->name);
  return join(names, ", ");
}

}  // namespace

std::string CallRequest::text(std::string_view name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? "" : found->get<std::string>();
}
std::vector<std::string> CallRequest::texts(std::string_view name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}
bool CallRequest::flag(std::string_view name) const {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->get<bool>();
}

std::span<const Call* const> all_calls() { return kAllCalls; }

const Call* find_call(std::string_view name) {
  const auto found = std::ranges::find(kAllCalls, name, [](const Call* call) { return call->name; });
  return found == kAllCalls.end() ? nullptr : *found;
}

nlohmann::json schema_of(const Call& call) {
  nlohmann::json properties = nlohmann::json::object(), required = nlohmann::json::array();
  for (const auto& parameter : call.parameters) {
    auto& property = properties[std::string(parameter.name)] = type_of(parameter.kind);
    property["description"] = parameter.description;
    if (parameter.required) required.push_back(parameter.name);
  }
  return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

Status check_arguments(const Call& call, const nlohmann::json& arguments) {
  const auto refuse = [&](const std::string& what) -> Status {
    std::vector<std::string> names;
    for (const auto& parameter : call.parameters) names.emplace_back(parameter.name);
    return fail("E-REQUEST", fmt::format("{}: {}", call.name, what), "it takes: " + join(names, ", "));
  };
  if (!arguments.is_object()) return refuse("its arguments are not an object");
  for (const auto& [name, value] : arguments.items()) {
    const auto found = std::ranges::find(call.parameters, name, &CallParameter::name);
    if (found == call.parameters.end()) return refuse("there is no argument '" + name.substr(0, 80) + "'");
    if (!is_of(found->kind, value)) return refuse(fmt::format("'{}' must be {}", name, in_words(found->kind)));
  }
  for (const auto& parameter : call.parameters)
    if (parameter.required && !arguments.contains(parameter.name))
      return refuse(fmt::format("'{}' is missing", parameter.name));
  return {};
}

Result<Answer> run_call(Session& session, const std::string& name, const nlohmann::json& arguments,
                        const std::string& agent) {
  const auto* call = find_call(name);
  if (call == nullptr)
    return fail("E-REQUEST", "there is no call '" + name.substr(0, 80) + "'", "one of: " + names_of_calls());
  if (auto done = check_arguments(*call, arguments); !done) return fail(std::move(done).error());
  try {
    return call->run(session, {arguments, agent});
  } catch (const std::exception& problem) {  // one call that goes wrong is not the session's end
    return fail("E-REQUEST", fmt::format("{} ended unexpectedly: {}", name, problem.what()));
  }
}

}  // namespace hone::app
