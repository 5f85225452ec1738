// template.toml.
#include <fmt/format.h>

#include "base/text.hpp"
#include "core/format.hpp"
#include "core/toml_reader.hpp"

namespace hone {
namespace {

std::string as_toml(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? toml_quote(*text) : print(value);
}

Parameter read_parameter(const toml::table& node, TomlFaults& faults) {
  TomlTable table(node, "[[parameter]]", faults);
  Parameter out;
  out.name = table.text("name");
  if (!is_identifier(out.name)) table.fault("name", "must be an identifier");
  out.values = table.values("values");
  if (out.values.empty())
    table.fault("values", "at least one value is needed");
  else
    out.default_value = table.value("default").value_or(out.values.front());
  if (std::find(out.values.begin(), out.values.end(), out.default_value) == out.values.end())
    table.fault("default", "must be one of the values");
  return out;
}

LaunchShape read_shape(const toml::table& node, TomlFaults& faults) {
  TomlTable table(node, "[[launch]]", faults);
  LaunchShape out{table.text("kernel"), table.expressions("global"), table.expressions("local")};
  if (out.global.empty()) table.fault("global", "needs one to three sizes");
  return out;
}

Template read_template(const toml::table& node, TomlFaults& faults, std::string& source_file) {
  TomlTable root(node, "the template", faults);
  Template out;
  if (root.integer("format").value_or(1) != 1) root.fault("format", "must be 1; this version reads no other");
  out.name = root.text("name", false);
  out.rationale = root.text("rationale", false);
  out.schedule = schedule_from_lines(root.texts("schedule"));
  source_file = root.text("source", false);
  if (out.schedule.empty() == source_file.empty())
    root.fault(source_file.empty() ? "source" : "schedule",
               source_file.empty() ? "a template needs a source, such as \"kernel.cl\", or a schedule"
                                   : "a template has a source or a schedule, not both");
  for (const auto* parameter : root.tables("parameter"))
    out.space.parameters.push_back(read_parameter(*parameter, faults));
  if (const auto* constraints = root.table("constraints")) {
    TomlTable table(*constraints, "[constraints]", faults);
    for (const auto& name : table.all_keys()) out.space.constraints.push_back({name, table.expression(name)});
  }
  if (const auto* resources = root.table("resources")) {
    TomlTable table(*resources, "[resources]", faults);
    for (const auto& name : table.all_keys()) out.resources[name] = table.expression(name);
  }
  for (const auto* launch : root.tables("launch")) out.launches.push_back(read_shape(*launch, faults));
  if (const auto* build = root.table("build")) {
    TomlTable table(*build, "[build]", faults);
    out.options = table.texts("options");
  }
  return out;
}

std::string list(const std::vector<std::string>& items) {
  std::vector<std::string> parts;
  for (const auto& item : items) parts.push_back(toml_quote(item));
  return "[" + join(parts, ", ") + "]";
}

std::string list(const std::vector<Expression>& items) {
  std::vector<std::string> parts;
  for (const auto& item : items) parts.push_back(item.print());
  return list(parts);
}

Result<Template> parse(const std::string& text, const std::string& file, std::string& source_file) {
  TomlFaults faults(file);
  try {
    const auto node = toml::parse(text, file);
    auto value = read_template(node, faults, source_file);
    if (faults.first()) return fail(*faults.first());
    return value;
  } catch (const toml::parse_error& e) {
    return fail("E-FORMAT", fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
}

std::optional<Language> language_of_file(const std::string& name) {
  for (const auto language : {Language::OpenCL, Language::Cuda, Language::Hip})
    if (name.ends_with(source_extension(language))) return language;
  return std::nullopt;
}

}  // namespace

Result<Template> template_from_toml(const std::string& text, const std::string& file) {
  std::string source_file;
  return parse(text, file, source_file);
}

std::string to_toml(const Template& value) {
  std::string out = fmt::format("format = 1\nname = {}\n", toml_quote(value.name));
  if (!value.rationale.empty()) out += fmt::format("rationale = {}\n", toml_quote(value.rationale));
  if (value.schedule.empty())
    out += fmt::format("source = \"kernel{}\"\n", source_extension(value.language));
  else
    out += "schedule = " + list(lines_of(value.schedule)) + "\n";
  for (const auto& p : value.space.parameters) {
    std::vector<std::string> values;
    for (const auto& v : p.values) values.push_back(as_toml(v));
    out += fmt::format("\n[[parameter]]\nname = {}\nvalues = [{}]\ndefault = {}\n", toml_quote(p.name),
                       join(values, ", "), as_toml(p.default_value));
  }
  if (!value.space.constraints.empty()) out += "\n[constraints]\n";
  for (const auto& c : value.space.constraints)
    out += fmt::format("{} = {}\n", toml_quote(c.name), toml_quote(c.condition.print()));
  if (!value.resources.empty()) out += "\n[resources]\n";
  for (const auto& [name, e] : value.resources)
    out += fmt::format("{} = {}\n", toml_quote(name), toml_quote(e.print()));
  for (const auto& l : value.launches) {
    out += fmt::format("\n[[launch]]\nkernel = {}\nglobal = {}\n", toml_quote(l.kernel), list(l.global));
    if (!l.local.empty()) out += "local = " + list(l.local) + "\n";
  }
  if (!value.options.empty()) out += "\n[build]\noptions = " + list(value.options) + "\n";
  return out;
}

Result<Template> template_from_files(const Files& files, const std::string& folder) {
  const auto manifest = files.find("template.toml");
  if (manifest == files.end()) return fail("E-FORMAT", folder + " has no template.toml, so it is not a template");
  std::string source_file;
  auto value = parse(manifest->second, folder + "/template.toml", source_file);
  if (!value) return value;
  if (value->name.empty()) value->name = folder.substr(folder.find_last_of('/') + 1);
  if (source_file.empty()) return value;
  const auto source = files.find(source_file);
  if (source == files.end())
    return fail("E-FORMAT", folder + " has no " + source_file + ", which its template.toml names");
  const auto language = language_of_file(source_file);
  if (!language) return fail("E-FORMAT", source_file + ": a template's source ends in .cl, .cu or .hip");
  value->source = source->second;
  value->language = *language;
  return value;
}

Files to_files(const Template& value) {
  Files out = {{"template.toml", to_toml(value)}};
  if (value.schedule.empty()) out["kernel" + std::string(source_extension(value.language))] = value.source;
  return out;
}

}  // namespace hone
