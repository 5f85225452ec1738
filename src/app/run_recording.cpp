#include "app/run_recording.hpp"

#include <algorithm>
#include <filesystem>

#include "agents/prompts.hpp"
#include "app/measured_json.hpp"
#include "app/pattern_uses.hpp"
#include "app/setting.hpp"
#include "base/hash.hpp"
#include "os/files.hpp"
#include "store/records.hpp"
#include "worker/ceilings.hpp"
#include "worker/json_values.hpp"

namespace hone::app {
namespace {

namespace fs = std::filesystem;
using RunJson = nlohmann::json;

RunJson options_json(const ImproveOptions& o) {
  return {{"budget", o.budget},
          {"check_command", o.check_command},
          {"target", o.target},
          {"no_gain", o.no_gain},
          {"seed", o.seed},
          {"strategy", o.strategy},
          {"model", o.model.name},
          {"rules", o.rules},
          {"plan", o.plan},
          {"rounds", o.rounds},
          {"candidates", o.candidates},
          {"direct", o.direct},
          {"searched", o.searched},
          {"repair", o.repair},
          {"inherit", o.inherit},
          {"profile", o.profile},
          {"proposer", o.proposer}};
}

ImproveOptions options_from(const RunJson& json) {
  ImproveOptions out;
  out.check_command = json.at("check_command");
  out.budget = json.at("budget"), out.target = json.at("target"), out.no_gain = json.at("no_gain");
  out.seed = json.at("seed"), out.strategy = json.at("strategy"), out.model.name = json.at("model");
  out.rules = json.at("rules"), out.plan = json.at("plan"), out.rounds = json.at("rounds");
  out.candidates = json.at("candidates");
  out.direct = json.at("direct"), out.searched = json.at("searched"), out.repair = json.at("repair");
  out.inherit = json.at("inherit"), out.profile = json.at("profile");
  out.proposer = json.value("proposer", out.proposer);
  return out;
}

std::string id_of(const RunKey& key) {
  return content_hash(key.mep + "\n" + key.options + "\n" + std::to_string(key.seed)).substr(0, 16);
}

Result<std::string> recordings() {
  const auto state = state_folder();
  if (!state) return fail(state.error());
  return *state + "/recordings";
}

Result<std::vector<Template>> templates_of(const std::string& folder) {
  std::vector<fs::path> folders;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder + "/templates", none)) folders.push_back(entry.path());
  std::ranges::sort(folders);
  std::vector<Template> out;
  for (const auto& one : folders) {
    auto loaded = load_template(one.string());
    if (!loaded) return fail(std::move(loaded).error());
    out.push_back(std::move(*loaded));
  }
  return out;
}

}  // namespace

Status write_recorded(const std::string& folder, const RecordedRun& run) {
  RunJson json = {{"format", 1},
                  {"device", worker::to_json(run.device)},
                  {"ceilings", RunJson::parse(worker::to_json_text(run.ceilings))},
                  {"patterns", RunJson::array()},
                  {"options", options_json(run.options)},
                  {"limits", to_json(run.limits)},
                  {"uses", to_json(run.uses)},
                  {"prompts", agents::prompt_versions()}};
  for (const auto& pattern : run.patterns) json["patterns"].push_back(store::to_record(pattern));
  if (auto done = os::write_folder(folder + "/mep", to_files(run.mep)); !done) return done;
  for (std::size_t i = 0; i < run.templates.size(); ++i)
    if (auto done = os::write_folder(folder + "/templates/" + std::to_string(i), to_files(run.templates[i])); !done)
      return done;
  return os::write_text(folder + "/recording.json", json.dump(1, ' ', false, RunJson::error_handler_t::replace));
}

Result<RecordedRun> read_recorded(const std::string& folder) {
  const auto text = os::read_text(folder + "/recording.json");
  if (!text)
    return fail("E-REPLAY", folder + " holds no recording of a run", "hone optimize ... --recording " + folder);
  RecordedRun out;
  auto mep = load_mep(folder + "/mep");
  if (!mep) return fail(std::move(mep).error());
  out.mep = std::move(*mep);
  auto templates = templates_of(folder);
  if (!templates) return fail(std::move(templates).error());
  out.templates = std::move(*templates);
  try {
    const auto json = RunJson::parse(*text);
    out.device = worker::device_from(json.at("device"));
    auto ceilings = worker::ceilings_from_text(json.at("ceilings").dump());
    if (ceilings) out.ceilings = std::move(*ceilings);
    out.options = options_from(json.at("options"));
    out.limits = limits_from(json.at("limits"));
    if (json.contains("uses")) out.uses = pattern_uses_from(json.at("uses"));
    for (const auto& record : json.at("patterns"))
      if (auto pattern = store::pattern_from_record(record.get<std::string>())) out.patterns.push_back(*pattern);
  } catch (const RunJson::exception& e) {
    return fail("E-REPLAY", folder + "/recording.json cannot be read: " + e.what());
  }
  return out;
}

Result<std::string> recording_folder(const RunKey& key) {
  auto folder = recordings();
  if (!folder) return folder;
  return *folder + "/" + id_of(key) + "-" + content_hash(key.device).substr(0, 8);
}

Result<std::string> completion_folder(const std::string& identity) {
  auto folder = recordings();
  if (!folder) return folder;
  return *folder + "/completed-" + content_hash(identity).substr(0, 16);
}

Result<std::string> newest_recording(const RunKey& key) {
  const auto folder = recordings();
  if (!folder) return folder;
  std::string newest;
  fs::file_time_type when;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(*folder, none)) {
    std::error_code problem;
    const auto written = fs::last_write_time(entry.path() / "recording.json", problem);
    if (problem || !entry.path().filename().string().starts_with(id_of(key) + "-")) continue;
    if (newest.empty() || written > when) newest = entry.path().string(), when = written;
  }
  if (newest.empty())
    return fail("E-REPLAY", "no run with these options is recorded", "--recording DIR names where it is");
  return newest;
}

}  // namespace hone::app
