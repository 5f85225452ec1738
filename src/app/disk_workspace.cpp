#include "app/disk_workspace.hpp"

#include <chrono>
#include <filesystem>

#include "app/recording.hpp"
#include "os/process.hpp"

namespace hone::app {

Result<std::string> DiskWorkspace::copy_tree(const std::string& folder) {
  namespace fs = std::filesystem;
  auto copy = os::TempFolder::make("hone-validate");
  if (!copy) return fail(std::move(copy).error());
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().filename() == ".git") continue;
    fs::copy(entry.path(), copy->path() / entry.path().filename(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks, problem);
    if (problem) return fail("E-FILE", entry.path().string() + ": " + problem.message());
  }
  if (problem) return fail("E-FILE", folder + ": " + problem.message());
  copies_.push_back(std::move(*copy));
  return copies_.back().path().string();
}

Status DiskWorkspace::write(const std::string& folder, const Files& files) { return os::write_folder(folder, files); }

Result<patch::CommandOutcome> DiskWorkspace::run(const std::string& command, const std::string& folder) {
  os::Command shell;
  shell.words = {"/bin/sh", "-c", command + " 2>&1"};
  shell.folder = folder;
  auto record = os::TempFolder::make("hone-watch");
  if (!record) return fail(std::move(record).error());
  const auto layer = layer_library();
  if (!layer.empty()) shell.environment = watching(layer, record->path());
  const auto start = std::chrono::steady_clock::now();
  const auto finished = os::run(shell, "", limit_);
  if (!finished) return fail(finished.error());
  patch::CommandOutcome out;
  out.exit = finished->exit.signal != 0 ? 128 + finished->exit.signal : finished->exit.code;
  out.timed_out = finished->timed_out;
  out.output = finished->out;
  out.took = std::chrono::steady_clock::now() - start;
  if (layer.empty())
    out.recording.why_not = "libhone_layer.so, which watches what a program launches, is not beside hone";
  else
    out.recording = read_recording(record->path());
  return out;
}

}  // namespace hone::app
