#include "app/unit_store.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/setting.hpp"
#include "base/hash.hpp"
#include "os/files.hpp"

namespace hone::app {

FolderUnits::FolderUnits() {
  const auto state = state_folder();
  if (!state) return;
  std::error_code problem;
  const auto program = os::own_program();
  const auto size = std::filesystem::file_size(program, problem);
  const auto written = std::filesystem::last_write_time(program, problem).time_since_epoch().count();
  folder_ = *state + "/units/" + sha256(fmt::format("{} {}", size, written)).substr(0, 16);
}

std::optional<std::string> FolderUnits::find(const std::string& key) {
  if (folder_.empty()) return std::nullopt;
  auto bytes = os::read_text(folder_ + "/" + key);
  return bytes ? std::optional(std::move(*bytes)) : std::nullopt;
}

void FolderUnits::keep(const std::string& key, const std::string& bytes) {
  // A unit that cannot be kept is parsed again next time.
  if (!folder_.empty()) (void)os::write_text(folder_ + "/" + key, bytes);
}

}  // namespace hone::app
