#include "app/recording.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"

namespace hone::app {
namespace {

using Json = nlohmann::json;

/// Folders of -I, and the one the program ran in.
std::vector<os::Path> include_folders(const std::string& options, const os::Path& ran_in) {
  std::vector<os::Path> out = {ran_in};
  std::istringstream words(options);
  for (std::string word; words >> word;) {
    if (!word.starts_with("-I")) continue;
    std::string folder = word.substr(2);
    if (folder.empty() && !(words >> folder)) break;
    std::erase(folder, '"');
    out.push_back(ran_in / folder);
  }
  return out;
}

/// Behind the text every file it includes, each once.
void add_included(std::string& text, const std::string& of, const std::vector<os::Path>& folders,
                  std::set<std::string>& seen) {
  constexpr std::size_t most_files = 200;
  std::istringstream lines(of);
  for (std::string line; std::getline(lines, line);) {
    const auto hash = trim(line);
    if (!hash.starts_with("#") || !trim(hash.substr(1)).starts_with("include")) continue;
    const auto open = hash.find_first_of("\"<");
    const auto close = open == std::string_view::npos ? open : hash.find_first_of("\">", open + 1);
    if (close == std::string_view::npos) continue;
    for (const auto& folder : folders) {
      const auto file = folder / std::string(hash.substr(open + 1, close - open - 1));
      std::error_code missing;
      if (!std::filesystem::is_regular_file(file, missing)) continue;
      if (seen.size() >= most_files || !seen.insert(file.string()).second) break;
      const auto inside = os::read_text(file);
      if (!inside) break;
      text += "\n" + *inside;
      auto nearer = folders;
      nearer.insert(nearer.begin(), file.parent_path());
      add_included(text, *inside, nearer, seen);
      break;
    }
  }
}

class Reading {
 public:
  explicit Reading(const os::Path& folder) : folder_(folder) { out_.watched = true; }

  patch::Recording run() {
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, problem))
      if (entry.path().extension() == ".jsonl") file(entry.path());
    return std::move(out_);
  }

 private:
  void file(const os::Path& path) {
    out_.loaded = true;
    std::ifstream in(path);
    os::Path ran_in;
    for (std::string line; std::getline(in, line);) {
      const auto event = Json::parse(line, nullptr, false);  // the last line of a program that was ended may be torn
      if (!event.is_object()) continue;
      const auto kind = event.value("event", "");
      if (kind == "loaded") ran_in = event.value("folder", "");
      if (kind == "cut") out_.cut = true;
      if (kind == "launch") launch(event, ran_in);
    }
  }

  void launch(const Json& event, const os::Path& ran_in) {
    patch::RecordedLaunch launch;
    launch.kernel = event.value("kernel", "");
    launch.global = event.value("global", std::vector<std::size_t>());
    launch.local = event.value("local", std::vector<std::size_t>());
    launch.source = program(event.value("source", ""), event.value("options", ""), ran_in);
    out_.launches.push_back(std::move(launch));
  }

  /// One name for each text, options and place.
  std::string program(const std::string& hash, const std::string& options, const os::Path& ran_in) {
    if (hash.empty()) return {};
    const auto name = hash + " " + options + " " + ran_in.string();
    if (out_.sources.contains(name)) return name;
    auto text = os::read_text(folder_ / (hash + ".cl"));
    if (!text) return {};
    std::set<std::string> seen;
    const auto own = *text;
    add_included(*text, own, include_folders(options, ran_in), seen);
    out_.sources[name] = std::move(*text);
    return name;
  }

  os::Path folder_;
  patch::Recording out_;
};

}  // namespace

os::Path layer_library() {
  const auto beside = os::own_program().parent_path();
  for (const auto& path : {beside / "libhone_layer.so", beside.parent_path() / "lib/hone/libhone_layer.so"}) {
    std::error_code missing;
    if (std::filesystem::exists(path, missing)) return path;
  }
  return {};
}

std::map<std::string, std::string> watching(const os::Path& layer, const os::Path& folder) {
  const auto* already = std::getenv("OPENCL_LAYERS");
  const auto caches = folder / "program-cache";
  return {{"OPENCL_LAYERS", (already == nullptr || *already == 0 ? "" : std::string(already) + ":") + layer.string()},
          {"HONE_LAYER_FOLDER", folder.string()},
          {"POCL_CACHE_DIR", caches.string()},
          {"NEO_CACHE_DIR", caches.string()},
          {"CUDA_CACHE_DISABLE", "1"}};
}

patch::Recording read_recording(const os::Path& folder) { return Reading(folder).run(); }

}  // namespace hone::app
