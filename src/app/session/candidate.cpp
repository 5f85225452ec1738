#include "app/session/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agents/reply.hpp"
#include "app/setting.hpp"
#include "app/show_variant.hpp"
#include "os/files.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
constexpr std::array kForms = {"reply", "source", "manifest", "schedule", "template"};
constexpr auto kNameless = "candidate";

std::string plain_manifest(Language language) {
  return fmt::format("source = \"kernel{}\"\n", source_extension(language));
}

Result<Template> from_source(const CallRequest& request, const Mep& mep) {
  const auto extension = std::string(source_extension(mep.language));
  Files files = {{"template.toml", request.has("manifest") ? request.text("manifest") : plain_manifest(mep.language)},
                 {"kernel" + extension, request.text("source")}};
  return template_from_files(files, kNameless);
}

Result<Template> from_schedule(const CallRequest& request) {
  // A JSON list of texts is one of TOML's too.
  const auto steps = request.arguments.at("schedule").dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return template_from_files({{"template.toml", "schedule = " + steps + "\n" + request.text("manifest")}}, kNameless);
}

Result<Template> from_disk(const std::string& named, const Workspace& workspace, const Mep& mep) {
  const auto path = workspace.inside(named);
  if (!path) return fail(path.error());
  std::error_code none;
  if (fs::is_directory(*path, none)) {
    if (auto done = workspace.all_inside(*path); !done) return fail(std::move(done).error());
    return load_template(path->string());
  }
  auto text = os::read_text(*path);
  if (!text) return fail(std::move(text).error());
  return template_from_files({{"template.toml", plain_manifest(mep.language)},
                              {"kernel" + std::string(source_extension(mep.language)), std::move(*text)}},
                             path->stem().string());
}

Result<Template> template_in(const CallRequest& request, const Workspace& workspace, const Mep& mep,
                             const DeviceInfo& device, std::vector<std::string>& mended) {
  if (request.has("reply")) {
    const auto rules = rules::rule_forms();
    auto found = agents::templates_in(request.text("reply"), {mep, rules, &device, &mended}, kNameless);
    if (!found) return fail(std::move(found).error());
    return std::move(found->back());
  }
  if (request.has("template")) return from_disk(request.text("template"), workspace, mep);
  if (request.has("schedule")) return from_schedule(request);
  if (request.has("source")) return from_source(request, mep);
  return template_from_files({{"template.toml", request.text("manifest")}}, kNameless);
}

Result<Configuration> configuration_in(const CallRequest& request, const Template& of) {
  std::vector<std::string> at;
  if (request.has("configuration"))
    for (const auto& [name, value] : request.arguments.at("configuration").items())
      at.push_back(name + "=" + value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return configuration_at(of, at);
}

}  // namespace

std::vector<CallParameter> with_candidate(std::vector<CallParameter> others) {
  using Kind = CallParameter::Kind;
  const std::vector<CallParameter> candidate = {
      {"mep", Kind::Text, "the MEP folder, in the workspace; absent: the one in use"},
      {"reply", Kind::Text, "a candidate as an answer in one of the forms that `brief` describes, fences and all"},
      {"source", Kind::Text, "a candidate as the whole text of the kernel file"},
      {"manifest", Kind::Text,
       "template.toml of `source` (parameters, constraints, launch sizes), or alone with a `schedule` in it"},
      {"schedule", Kind::Texts, "a candidate as steps of the rules; `manifest` may declare their parameters"},
      {"template", Kind::Text, "a candidate as a template folder, or a kernel file, in the workspace"},
      {"configuration", Kind::Values, "values of its parameters; absent: their defaults"}};
  others.insert(others.begin(), candidate.begin(), candidate.end());
  return others;
}

bool names_candidate(const CallRequest& request) {
  return std::ranges::any_of(kForms, [&](const char* form) { return request.has(form); });
}

Result<Candidate> candidate_in(const CallRequest& request, const Workspace& workspace, const Mep& mep,
                               const DeviceInfo& device) {
  // A manifest goes with a source or a schedule; the others stand alone.
  const auto given = std::ranges::count_if(kForms, [&](const char* form) { return request.has(form); });
  const bool completes = request.has("manifest") && (request.has("source") || request.has("schedule"));
  if (given - (completes ? 1 : 0) != 1)
    return fail("E-REQUEST", "exactly one candidate is needed",
                "give reply, source (with a manifest or without), manifest, schedule or template");
  Candidate out;
  auto made = template_in(request, workspace, mep, device, out.mended);
  if (!made) return fail(std::move(made).error());
  out.made_of = std::move(*made);
  auto configuration = configuration_in(request, out.made_of);
  if (!configuration) return fail(std::move(configuration).error());
  out.configuration = std::move(*configuration);
  return out;
}

}  // namespace hone::app
