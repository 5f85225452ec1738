#include "search/t1_file.hpp"

#include "search/python_list.hpp"

namespace hone::search {

namespace {

Result<Parameter> read_parameter(const Json& json) {
  if (!json.is_object() || !json.contains("Name") || !json["Name"].is_string() || !json.contains("Values")) {
    return fail("E-FORMAT", "a T1 tuning parameter needs Name and Values");
  }
  Parameter parameter{json["Name"].get<std::string>(), {}, {}};
  if (json["Values"].is_string()) {
    auto values = evaluate_python_list(json["Values"].get<std::string>());
    if (!values) return fail(std::move(values).error().context("parameter " + parameter.name));
    parameter.values = std::move(*values);
  } else if (json["Values"].is_array()) {
    for (const auto& item : json["Values"]) {
      auto value = value_of(item);
      if (!value) return fail(std::move(value).error().context("parameter " + parameter.name));
      parameter.values.push_back(std::move(*value));
    }
  }
  if (parameter.values.empty()) return fail("E-FORMAT", "parameter " + parameter.name + " has no values");
  parameter.default_value = parameter.values.front();
  if (json.contains("Default")) {
    const Json& given = json["Default"];
    auto value = value_of(given.is_array() && !given.empty() ? given.front() : given);
    if (value) parameter.default_value = std::move(*value);
  }
  return parameter;
}

Result<Constraint> read_condition(const Json& json) {
  if (!json.is_object() || !json.contains("Expression") || !json["Expression"].is_string()) {
    return fail("E-FORMAT", "a T1 condition needs Expression");
  }
  const auto text = json["Expression"].get<std::string>();
  auto condition = Expression::parse(text);
  if (!condition) return fail(std::move(condition).error().context("condition"));
  return Constraint{text, std::move(*condition)};
}

Result<Space> read_space(const Json& json) {
  Space space;
  if (!json.is_object() || !json.contains("TuningParameters") || !json["TuningParameters"].is_array()) {
    return fail("E-FORMAT", "not a T1 file: ConfigurationSpace has no TuningParameters");
  }
  for (const auto& item : json["TuningParameters"]) {
    auto parameter = read_parameter(item);
    if (!parameter) return fail(parameter.error());
    space.parameters.push_back(std::move(*parameter));
  }
  if (!json.contains("Conditions")) return space;
  for (const auto& item : json["Conditions"]) {
    auto condition = read_condition(item);
    if (!condition) return fail(condition.error());
    space.constraints.push_back(std::move(*condition));
  }
  return space;
}

const char* type_name(const Parameter& parameter) {
  const auto& value = parameter.values.front();
  if (std::holds_alternative<std::string>(value)) return "string";
  for (const auto& each : parameter.values) {
    if (std::holds_alternative<double>(each)) return "float";
  }
  return "int";  // Kernel Tuner reads booleans as this too
}

std::string python_text(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return print(value);
}

Json space_json(const Space& space) {
  Json json = {{"TuningParameters", Json::array()}, {"Conditions", Json::array()}};
  for (const auto& parameter : space.parameters) {
    std::string values;
    for (const auto& value : parameter.values) values += (values.empty() ? "[" : ", ") + python_text(value);
    json["TuningParameters"].push_back({{"Name", parameter.name},
                                        {"Type", type_name(parameter)},
                                        {"Values", values + "]"},
                                        {"Default", json_of(parameter.default_value)}});
  }
  for (const auto& constraint : space.constraints) {
    json["Conditions"].push_back(
        {{"Expression", constraint.condition.print()}, {"Parameters", constraint.condition.names()}});
  }
  return json;
}

}  // namespace

Result<T1> read_t1(std::string_view text) {
  auto document = parse_whole_json(text);
  if (!document) return fail(document.error());
  if (!document->is_object() || !document->contains("ConfigurationSpace")) {
    return fail("E-FORMAT", "not a T1 file: it is JSON, but has no ConfigurationSpace");
  }
  auto space = read_space((*document)["ConfigurationSpace"]);
  if (!space) return fail(space.error());
  return T1{std::move(*space), std::move(*document)};
}

std::string write_t1(const T1& t1) {
  Json document = t1.document;
  const auto unchanged = document.contains("ConfigurationSpace") ? read_space(document["ConfigurationSpace"])
                                                                 : Result<Space>(fail("E-FORMAT", "none"));
  if (!unchanged || !(*unchanged == t1.space)) document["ConfigurationSpace"] = space_json(t1.space);
  return document.dump(4) + "\n";
}

T1 make_t1(const T1Kernel& kernel, const Space& space) {
  const auto sizes = [](const std::vector<std::string>& expressions) {
    Json json = Json::object();
    const char* const axes[] = {"X", "Y", "Z"};
    for (std::size_t d = 0; d < 3 && d < expressions.size(); ++d) json[axes[d]] = expressions[d];
    return json;
  };
  T1 t1{space, {}};
  t1.document["General"] = {{"BenchmarkName", kernel.name}, {"OutputFormat", "JSON"}};
  t1.document["ConfigurationSpace"] = space_json(space);
  t1.document["KernelSpecification"] = {{"Language", kernel.language},
                                        {"KernelName", kernel.name},
                                        {"KernelFile", kernel.file},
                                        {"GlobalSize", sizes(kernel.global)},
                                        {"LocalSize", sizes(kernel.local)}};
  return t1;
}

}  // namespace hone::search
