#include "agents/reply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "core/format.hpp"

namespace hone::agents {
namespace {

constexpr std::size_t largest_source = std::size_t{256} << 10U;
constexpr std::size_t most_parameters = 16, most_values = 256, most_templates = 8;

enum class Role { Source, Manifest, Schedule, Other };

bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

bool looks_like_source(const std::string& text) {
  return has(text, "__kernel") || has(text, "__global__") || has(text, "kernel void");
}
bool looks_like_manifest(const std::string& text) {
  return has(text, "[[parameter]]") || has(text, "schedule =") || has(text, "schedule=") || has(text, "rationale =");
}

/// By what the block says it is, else by what is in it.
Role role_of(const FencedBlock& block) {
  if (has(block.info, "toml")) return Role::Manifest;
  if (has(block.info, "schedule")) return Role::Schedule;
  if (looks_like_source(block.text)) return Role::Source;
  if (looks_like_manifest(block.text)) return Role::Manifest;
  return Role::Other;
}

/// The pieces of one template, in whatever order they came.
struct Draft {
  std::optional<std::string> source, manifest, schedule;
  bool empty() const { return !source && !manifest && !schedule; }
};

void put(std::vector<Draft>& drafts, std::optional<std::string> Draft::* piece, const std::string& text) {
  if (drafts.empty() || drafts.back().*piece) drafts.emplace_back();
  drafts.back().*piece = text;
}

std::vector<Draft> drafts_in(const std::string& reply) {
  auto blocks = fenced_blocks(reply);
  if (blocks.empty()) blocks.push_back({"", "", replace_all(reply, "\r\n", "\n")});
  std::vector<Draft> drafts;
  for (const auto& block : blocks) {
    switch (role_of(block)) {
      case Role::Source: put(drafts, &Draft::source, block.text); break;
      case Role::Manifest: put(drafts, &Draft::manifest, block.text); break;
      case Role::Schedule: put(drafts, &Draft::schedule, block.text); break;
      case Role::Other: break;
    }
  }
  return drafts;
}

bool has_key(const std::string& toml, std::string_view key) {
  for (const auto& line : split(toml, '\n')) {
    const auto text = trim(line);
    if (text.starts_with('[')) return false;  // top-level keys come before the tables
    if (text.starts_with(key) && trim(text.substr(key.size())).starts_with('=')) return true;
  }
  return false;
}

/// The manifest as it was meant: a source block makes a source template, lines of a schedule a schedule.
std::string manifest_of(const Draft& draft, Language language) {
  std::string toml = draft.manifest.value_or("");
  if (has_key(toml, "schedule")) return toml;
  if (draft.schedule) {
    std::vector<std::string> steps;
    for (const auto& line : split(*draft.schedule, '\n'))
      if (!trim(line).empty()) steps.push_back("'" + replace_all(std::string(trim(line)), "'", "") + "'");
    return "schedule = [" + join(steps, ", ") + "]\n" + toml;
  }
  if (draft.source && !has_key(toml, "source"))
    return fmt::format("source = \"kernel{}\"\n{}", source_extension(language), toml);
  return toml;
}

std::string named_source(const std::string& toml, Language language) {
  for (const auto& line : split(toml, '\n')) {
    const auto text = trim(line);
    if (!text.starts_with("source")) continue;
    const auto open = text.find_first_of("\"'");
    const auto close = text.find_last_of("\"'");
    if (open != std::string_view::npos && close > open) return std::string(text.substr(open + 1, close - open - 1));
  }
  return fmt::format("kernel{}", source_extension(language));
}

Status check(const Template& value, const Mep& mep, const RuleForms& rules) {
  for (const auto& step : value.schedule)
    if (auto known = check_step(step, rules); !known && !rules.empty())
      return fail("E-REPLY",
                  known.error().message() + (known.error().next().empty() ? "" : "; " + known.error().next()));
  if (value.source.size() > largest_source) return fail("E-REPLY", "the source is longer than 256 KiB");
  if (value.space.parameters.size() > most_parameters)
    return fail("E-REPLY", fmt::format("{} parameters are too many; use at most six", value.space.parameters.size()));
  std::set<std::string> names;
  for (const auto& parameter : value.space.parameters) {
    if (parameter.values.size() > most_values) return fail("E-REPLY", parameter.name + " has too many values");
    if (!names.insert(parameter.name).second) return fail("E-REPLY", parameter.name + " is given twice");
  }
  for (const auto& launch : value.launches)
    if (find_kernel(mep, launch.kernel) == nullptr)
      return fail("E-REPLY", fmt::format("[[launch]] names `{}`, which is no kernel here", launch.kernel));
  for (const auto& kernel : mep.kernels)
    if (value.schedule.empty() && !has(value.source, kernel.name))
      return fail("E-REPLY", fmt::format("the source does not define the kernel `{}`", kernel.name));
  return {};
}

Result<Template> template_of(const Draft& draft, const Mep& mep, const std::string& name, const RuleForms& rules) {
  const std::string toml = manifest_of(draft, mep.language);
  Files files = {{"template.toml", toml}};
  const bool wants_source = has_key(toml, "source") && !has_key(toml, "schedule");
  if (wants_source && !draft.source)
    return fail("E-REPLY", "the manifest names a source, but there is no fenced block with the kernel");
  const std::string file = named_source(toml, mep.language);
  if (wants_source) files[file] = *draft.source;
  auto value = template_from_files(files, name);
  if (!value) return fail("E-REPLY", value.error().message());
  value->language = mep.language;
  if (auto checked = check(*value, mep, rules); !checked) return fail(std::move(checked).error());
  return value;
}

}  // namespace

Result<std::vector<Template>> templates_in(const std::string& reply, const Mep& mep, const std::string& fallback_name,
                                           const RuleForms& rules) {
  std::vector<Template> templates;
  std::optional<Error> first;
  const auto drafts = drafts_in(reply);
  for (std::size_t i = 0; i < std::min(drafts.size(), most_templates); ++i) {
    auto value =
        template_of(drafts[i], mep, i == 0 ? fallback_name : fmt::format("{}-{}", fallback_name, i + 1), rules);
    if (value)
      templates.push_back(std::move(*value));
    else if (!first)
      first = value.error();
  }
  if (!templates.empty()) return templates;
  if (first) return fail(*first);
  return fail("E-REPLY", "there is no fenced block with a kernel, a manifest or a schedule in it");
}

Result<std::vector<std::size_t>> plan_in(const std::string& reply, std::size_t count) {
  auto blocks = fenced_blocks(reply);
  blocks.push_back({"", "", reply});
  for (const auto& block : blocks) {
    const auto json = nlohmann::json::parse(block.text, nullptr, false);
    if (!json.is_object() || !json.contains("follow") || !json["follow"].is_array()) continue;
    std::vector<std::size_t> chosen;
    for (const auto& item : json["follow"]) {
      if (!item.is_number_unsigned()) return fail("E-REPLY", "`follow` must be a list of numbers");
      const auto number = item.get<std::size_t>();
      if (number < 1 || number > count) return fail("E-REPLY", fmt::format("there is no suggestion {}", number));
      if (std::find(chosen.begin(), chosen.end(), number) == chosen.end()) chosen.push_back(number);
    }
    return chosen;
  }
  return fail("E-REPLY", "there is no JSON object with `follow` in it");
}

}  // namespace hone::agents
