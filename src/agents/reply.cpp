#include "agents/reply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "agents/mend.hpp"
#include "base/text.hpp"
#include "core/format.hpp"
#include "core/launch_walk.hpp"

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
  if (looks_like_source(block.text) || has(block.info, "opencl") || has(block.info, "cuda")) return Role::Source;
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

/// Pieces that stand in fences of their own, or in an answer that is nothing but a kernel.
std::vector<Draft> drafts_with_code(const std::string& reply) {
  auto drafts = drafts_in(reply);
  std::erase_if(drafts, [](const Draft& draft) { return draft.empty(); });
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

/// Names that an expression of a manifest may use.
class KnownNames {
 public:
  KnownNames(const Template& value, const ReplyTask& task) : device_(task.device) {
    for (const auto& parameter : value.space.parameters) known_.push_back(parameter.name);
    for (const auto& workload : task.mep.workloads) {
      for (const auto& [name, scalar] : workload.scalars) known_.push_back(name);
      each_loop(workload.launches, [&](const LaunchLoop& loop) { known_.push_back(loop.variable); });
    }
  }
  /// A sentence on the first name that is none.
  std::optional<std::string> fault_in(const Expression& expression, const std::string& where) const {
    for (const auto& name : expression.names()) {
      if (name.starts_with("launch.") || std::ranges::find(known_, name) != known_.end()) continue;
      const bool of_device = name.starts_with("device.");
      if (of_device && (device_ == nullptr || device_->facts.contains(name.substr(7)))) continue;
      const auto close = nearest(name, known_);
      return fmt::format(
          "{} uses `{}`, which is neither a [[parameter]] of this manifest nor a scalar of the workloads{}{}", where,
          name, of_device ? ", nor known of this device" : "", close ? "; did you mean " + *close + "?" : "");
    }
    return std::nullopt;
  }

 private:
  const DeviceInfo* device_;
  std::vector<std::string> known_;
};

Status check_names(const Template& value, const ReplyTask& task) {
  const KnownNames names(value, task);
  std::optional<std::string> fault;
  const auto look = [&](const Expression& expression, const std::string& where) {
    if (!fault) fault = names.fault_in(expression, where);
  };
  for (const auto& constraint : value.space.constraints)
    look(constraint.condition, "the constraint `" + constraint.name + "`");
  for (const auto& [name, used] : value.resources) look(used, "the resource `" + name + "`");
  for (const auto& launch : value.launches) {
    for (const auto& size : launch.global) look(size, "[[launch]] global of `" + launch.kernel + "`");
    for (const auto& size : launch.local) look(size, "[[launch]] local of `" + launch.kernel + "`");
  }
  if (fault) return fail("E-REPLY", *fault);
  return {};
}

Status check_steps(const Template& value, const RuleForms& rules) {
  for (const auto& step : value.schedule) {
    if (auto known = check_step(step, rules); !known && !rules.empty())
      return fail("E-REPLY",
                  known.error().message() + (known.error().next().empty() ? "" : "; " + known.error().next()));
    const auto* form = find_form(rules, step.rule);
    for (std::size_t i = 0; form != nullptr && i < std::min(form->takes.size(), step.arguments.size()); ++i) {
      const auto& word = step.arguments[i];
      const bool number = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
      const bool declared =
          std::ranges::find(value.space.parameters, word, &Parameter::name) != value.space.parameters.end();
      if (form->takes[i].kind == ArgumentKind::Count && !number && !declared)
        return fail("E-REPLY",
                    fmt::format("the step `{}` uses `{}`, which no [[parameter]] declares", print(step), word));
    }
  }
  return {};
}

Status check(const Template& value, const ReplyTask& task) {
  if (auto known = check_steps(value, task.rules); !known) return known;
  if (value.source.size() > largest_source) return fail("E-REPLY", "the source is longer than 256 KiB");
  if (value.space.parameters.size() > most_parameters)
    return fail("E-REPLY", fmt::format("{} parameters are too many; use at most six", value.space.parameters.size()));
  std::set<std::string> names;
  for (const auto& parameter : value.space.parameters) {
    if (parameter.values.size() > most_values) return fail("E-REPLY", parameter.name + " has too many values");
    if (!names.insert(parameter.name).second) return fail("E-REPLY", parameter.name + " is given twice");
  }
  for (const auto& launch : value.launches)
    if (find_kernel(task.mep, launch.kernel) == nullptr)
      return fail("E-REPLY", fmt::format("[[launch]] names `{}`, which is no kernel here", launch.kernel));
  for (const auto& kernel : task.mep.kernels)
    if (value.schedule.empty() && !has(value.source, kernel.name))
      return fail("E-REPLY", fmt::format("the source does not define the kernel `{}`", kernel.name));
  return check_names(value, task);
}

Result<Template> read_template(const std::string& toml, const std::string& source, const ReplyTask& task,
                               const std::string& name) {
  Files files = {{"template.toml", toml}};
  if (has_key(toml, "source") && !has_key(toml, "schedule")) files[named_source(toml, task.mep.language)] = source;
  auto value = template_from_files(files, name);
  if (!value) return fail("E-REPLY", value.error().message());
  value->language = task.mep.language;
  return value;
}

/// A name that an expression uses and the source gives a number: it was meant to be a parameter.
void declare_defined(Template& value, const std::string& source, const ReplyTask& task,
                     std::vector<std::string>& mended) {
  for (const auto& [name, number] : defined_numbers(source)) {
    const KnownNames names(value, task);
    bool missing = false;
    const auto look = [&](const Expression& expression) {
      const auto used = expression.names();
      missing = missing || (std::ranges::find(used, name) != used.end() && names.fault_in(expression, ""));
    };
    for (const auto& constraint : value.space.constraints) look(constraint.condition);
    for (const auto& [resource, used] : value.resources) look(used);
    for (const auto& launch : value.launches) {
      for (const auto& size : launch.global) look(size);
      for (const auto& size : launch.local) look(size);
    }
    if (!missing || number.size() > 9) continue;
    value.space.parameters.push_back(
        {name, {Value(std::int64_t{std::stoll(number)})}, Value(std::int64_t{std::stoll(number)})});
    mended.push_back("the parameter " + name + " declared with its value in the source");
  }
}

/// As it was written where that can be read; else with what code can mend, where that helps.
Result<Template> template_of(const Draft& draft, const ReplyTask& task, const std::string& name) {
  std::vector<std::string> mended;
  const auto as_written = manifest_of(draft, task.mep.language);
  if (has_key(as_written, "source") && !has_key(as_written, "schedule") && !draft.source)
    return fail("E-REPLY", "the manifest names a source, but there is no fenced block with the kernel");
  const auto source = draft.source.value_or("");
  auto value = read_template(as_written, source, task, name);
  if (!value && draft.manifest) {
    auto better = draft;
    auto again = mend_manifest(*draft.manifest);
    better.manifest = again.text;
    if (auto second = read_template(manifest_of(better, task.mep.language), source, task, name)) {
      value = std::move(second);
      mended = std::move(again.what);
    }
  }
  if (!value) return value;
  if (value->schedule.empty()) {
    declare_defined(*value, source, task, mended);
    std::vector<std::string> parameters;
    for (const auto& parameter : value->space.parameters) parameters.push_back(parameter.name);
    auto again = mend_source(value->source, task.mep, parameters);
    value->source = std::move(again.text);
    mended.insert(mended.end(), again.what.begin(), again.what.end());
  }
  if (auto checked = check(*value, task); !checked) return fail(std::move(checked).error());
  if (task.mended != nullptr) task.mended->insert(task.mended->end(), mended.begin(), mended.end());
  return value;
}

}  // namespace

Result<std::vector<Template>> templates_in(const std::string& reply, const ReplyTask& task,
                                           const std::string& fallback_name) {
  std::vector<Template> templates;
  std::optional<Error> last;
  const auto drafts = drafts_in(reply);
  for (std::size_t i = 0; i < std::min(drafts.size(), most_templates); ++i) {
    auto value = template_of(drafts[i], task, i == 0 ? fallback_name : fmt::format("{}-{}", fallback_name, i + 1));
    if (value)
      templates.push_back(std::move(*value));
    else
      last = value.error();
  }
  if (!templates.empty()) return templates;
  if (last) return fail(*last);
  return fail("E-REPLY", "there is no fenced block with a kernel, a manifest or a schedule in it");
}

std::optional<std::string> nothing_more_in(const std::string& reply) {
  constexpr std::string_view mark = "NOTHING MORE";
  if (!drafts_with_code(reply).empty()) return std::nullopt;
  for (const auto& line : split(replace_all(reply, "\r\n", "\n"), '\n')) {
    auto text = trim(line);
    while (!text.empty() && (text.front() == '*' || text.front() == '`')) text.remove_prefix(1);
    if (!text.starts_with(mark)) continue;
    auto reason = std::string(text.substr(mark.size()));
    reason.erase(0, std::min(reason.find_first_not_of(" :*`-."), reason.size()));
    return reason.empty() ? "no reason was given" : reason;
  }
  return std::nullopt;
}

Result<std::vector<Direction>> plan_in(const std::string& reply, std::size_t most) {
  auto blocks = fenced_blocks(reply);
  blocks.push_back({"", "", reply});
  for (const auto& block : blocks) {
    const auto json = nlohmann::json::parse(block.text, nullptr, false);
    if (!json.is_object() || !json.contains("directions") || !json["directions"].is_array()) continue;
    std::vector<Direction> out;
    for (const auto& item : json["directions"]) {
      if (out.size() == most) break;
      if (!item.is_object() || !item.contains("action") || !item["action"].is_string())
        return fail("E-REPLY", "each of `directions` needs an `action`, a sentence");
      Direction direction;
      direction.action = item["action"].get<std::string>();
      const bool again = std::ranges::find(out, direction.action, &Direction::action) != out.end();
      if (trim(direction.action).empty() || again) continue;
      if (item.contains("base") && item["base"].is_string()) direction.base = item["base"].get<std::string>();
      if (item.contains("predicted_ms") && item["predicted_ms"].is_number())
        direction.predicted_ms = std::max(0.0, item["predicted_ms"].get<double>());
      out.push_back(std::move(direction));
    }
    if (out.empty()) return fail("E-REPLY", "`directions` is empty");
    return out;
  }
  return fail("E-REPLY", "there is no JSON object with `directions` in it");
}

}  // namespace hone::agents
