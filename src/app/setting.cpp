#include "app/setting.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "os/files.hpp"
#include "store/trial_store.hpp"
#include "worker/compiled_programs.hpp"

namespace hone::app {

Seconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

void DeviceChoice::add_options(CLI::App& command) {
  command.add_option("--device", device, "Device to run on, as `hone devices` names it; the first one when absent");
  command.add_option("--worker", worker, "Command that starts hone-worker, e.g. \"ssh gpu01 hone-worker\"");
}

/// One set of compilers for a whole command: what completion built need not be compiled again for the judge.
static std::shared_ptr<worker::CompiledPrograms> compilers_of(const worker::WorkerOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<worker::CompiledPrograms>> all;
  const std::lock_guard lock(mutex);
  auto& found = all[options.device];
  if (found == nullptr) found = std::make_shared<worker::CompiledPrograms>(options);
  return found;
}

worker::WorkerOptions DeviceChoice::options() const {
  worker::WorkerOptions out;
  out.device = device;
  for (auto& word : split(worker, ' '))
    if (!word.empty()) out.command.push_back(word);
  if (out.command.empty() && (device.empty() || device.starts_with("opencl"))) out.compiled = compilers_of(out);
  return out;
}

Result<DeviceChoice> DeviceChoice::speaking(Language language) const {
  auto out = *this;
  if (device.empty()) out.device = name_of(language);
  const auto kind = language_named(out.device.substr(0, out.device.find(':')));
  if (kind && *kind != language)
    return fail("E-LANGUAGE",
                "the kernel is written in " + std::string(name_of(language)) + ", and " + device + " takes " +
                    std::string(name_of(*kind)),
                "hone devices");
  return out;
}

Result<std::string> state_folder() {
  std::string base;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0')
    base = state;
  else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    base = std::string(home) + "/.local/state";
  else
    return fail("E-STATE", "neither XDG_STATE_HOME nor HOME is set", "export XDG_STATE_HOME=DIR");
  auto folder = base + "/hone";
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return fail("E-STATE", folder + ": " + problem.message(), "export XDG_STATE_HOME=DIR");
  return folder;
}

Result<std::unique_ptr<TrialLog>> open_log() {
  const auto folder = state_folder();
  if (!folder) return fail(folder.error());
  return store::open_trial_log(*folder + "/trials.db");
}

Result<Mep> load_mep(const std::string& folder) {
  const auto files = os::read_folder(folder);
  if (!files) return fail(Error(files.error()).with_next("hone extract DIR --kernel NAME -o " + folder));
  return mep_from_files(*files, folder);
}

Result<Template> load_template(const std::string& folder) {
  const auto files = os::read_folder(folder);
  if (!files) return fail(files.error());
  return template_from_files(*files, std::filesystem::path(folder).lexically_normal().string());
}

Result<Origin> load_origin(const std::string& folder) {
  const auto text = os::read_text(std::filesystem::path(folder) / "origin.json");
  if (!text)
    return fail("E-ORIGIN", folder + " has no origin.json, so it is not known where its kernel belongs",
                "hone extract DIR --kernel NAME -o X.mep");
  return origin_from_json(*text);
}

std::string hash_of(const Mep& mep) { return content_hash(to_toml(mep) + '\0' + mep.source); }

std::string judged_as(const Mep& mep, const std::string& check_command) {
  return check_command.empty() ? hash_of(mep) : content_hash(hash_of(mep) + check_command);
}

}  // namespace hone::app
