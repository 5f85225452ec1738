#include "app/session/serving_socket.hpp"

#include <filesystem>

#include "app/setting.hpp"
#include "base/hash.hpp"

namespace hone::app {

Result<std::string> serving_socket(const std::string& mep) {
  namespace fs = std::filesystem;
  const auto state = state_folder();
  if (!state) return fail(state.error());
  std::error_code problem;
  const auto folder = fs::path(*state) / "serve";
  fs::create_directories(folder, problem);
  fs::permissions(folder, fs::perms::owner_all, problem);
  const auto real = fs::weakly_canonical(mep, problem);
  constexpr std::size_t enough = 16;
  return (folder / (content_hash(real.string()).substr(0, enough) + ".sock")).string();
}

}  // namespace hone::app
