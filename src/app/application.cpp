#include "app/application.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/unit_store.hpp"
#include "base/text.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> source_extensions = {".c",   ".cc",  ".cpp", ".cxx", ".C",  ".h",    ".hh",
                                                 ".hpp", ".hxx", ".cl",  ".clh", ".cu", ".cuh",  ".hip",
                                                 ".inl", ".inc", ".ocl", ".py",  ".mk", ".cmake"};
const std::set<std::string> never_text = {
    ".o",   ".a",   ".so",  ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".gz",  ".zip", ".bz2", ".xz",  ".tar", ".bin",
    ".exe", ".pgm", ".ppm", ".bmp", ".raw", ".dat",  ".npy", ".mp4", ".avi", ".ico", ".svg", ".csv", ".jar", ".class"};
constexpr std::uintmax_t largest_source = 4U << 20U;
constexpr std::size_t largest_unnamed = 256U << 10U;

/// Whatever its name: text that has a kernel in it.
bool may_have_kernel(const std::string& text) {
  if (std::string_view(text).substr(0, 4096).find('\0') != std::string_view::npos) return false;
  return text.find("__kernel") != std::string::npos || text.find("kernel void") != std::string::npos ||
         text.find("__global__") != std::string::npos;
}

bool is_build_list(const std::string& name) {
  return name == "compile_commands.json" || name == "CMakeLists.txt" || name.starts_with("Makefile") ||
         name.starts_with("makefile") || name == "GNUmakefile";
}

/// Build folders and the like; and what Hone itself wrote into the tree, which is a copy of its kernels.
bool is_left_out(const fs::path& folder) {
  const auto name = folder.filename().string();
  std::error_code none;
  return name.starts_with('.') || name == "build" || name == "node_modules" || fs::exists(folder / "mep.toml", none) ||
         fs::exists(folder / "template.toml", none);
}

/// Files of any name that a file which is read includes.
void add_included(Files& files, Files& others) {
  std::set<std::string> names;
  for (const auto& [path, text] : files) {
    for (auto at = text.find("#include"); at != std::string::npos; at = text.find("#include", at + 8)) {
      const auto open = text.find_first_of("\"<\n", at);
      const auto close = open == std::string::npos ? open : text.find_first_of("\">\n", open + 1);
      if (close == std::string::npos || text[open] == '\n') continue;
      names.insert(fs::path(text.substr(open + 1, close - open - 1)).filename().string());
    }
  }
  for (auto& [path, text] : others) {
    if (names.contains(fs::path(path).filename().string())) files[path] = std::move(text);
  }
}

}  // namespace

Result<Files> read_application(const std::string& folder) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem)) return fail("E-FILE", folder + " is not a folder", "hone scan DIR");
  Files files;
  Files others;  // of names that say nothing; one of them may be included
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, problem), end;
       it != end; it.increment(problem)) {
    if (it->is_directory(problem) && is_left_out(it->path())) it.disable_recursion_pending();
    const auto extension = it->path().extension().string();
    if (!it->is_regular_file(problem) || never_text.contains(extension)) continue;
    if (it->file_size(problem) > largest_source) continue;
    auto text = os::read_text(it->path());
    if (!text) continue;  // one file that cannot be read costs that file
    const bool source = source_extensions.contains(extension) || is_build_list(it->path().filename().string());
    const auto name = fs::relative(it->path(), folder, problem).generic_string();
    const bool taken = source || may_have_kernel(*text);
    if (taken || text->size() < largest_unnamed) (taken ? files : others)[name] = std::move(*text);
  }
  add_included(files, others);
  return files;
}

Result<std::map<std::string, std::string>> parse_defines(const std::vector<std::string>& words) {
  std::map<std::string, std::string> out;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    if (!is_identifier(name)) return fail("E-DEFINE", "'" + word + "' is not NAME=VALUE", "-D BLOCK=16");
    out[name] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
  return out;
}

Result<std::map<std::string, Value>> parse_set(const std::vector<std::string>& words) {
  std::map<std::string, Value> out;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    const auto text = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    const auto parsed = Expression::parse(text);
    const auto value =
        parsed ? parsed->evaluate([](std::string_view) { return std::nullopt; }) : Result<Value>(Value());
    const bool number =
        parsed && value && (std::holds_alternative<std::int64_t>(*value) || std::holds_alternative<double>(*value));
    if (!is_identifier(name) || !number) return fail("E-SET", "'" + word + "' is not NAME=NUMBER", "--set n=4096");
    out[name] = *value;
  }
  return out;
}

Result<Extraction> extract_kernel(const std::string& folder, const std::string& kernel,
                                  const std::vector<std::string>& defines, const std::string& file) {
  const auto files = read_application(folder);
  if (!files) return fail(files.error());
  source::ExtractRequest request;
  for (auto& name : split(kernel, ','))
    if (!name.empty()) request.kernels.push_back(name);
  auto given = parse_defines(defines);
  if (!given) return fail(std::move(given).error());
  request.defines = std::move(*given);
  request.file = file;
  FolderUnits units;
  return source::extract(*files, request, {&units, {}});
}

}  // namespace hone::app
