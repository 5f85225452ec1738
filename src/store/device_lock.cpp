#include "store/device_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "os/fd.hpp"

namespace hone::store {
namespace {

class HeldFile final : public Turn {
 public:
  explicit HeldFile(os::Fd descriptor) : descriptor_(std::move(descriptor)) {}

 private:
  os::Fd descriptor_;
};

/// "4711 (hone optimize examples/matmul), since 14:05:12"
std::string who_i_am() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string command((std::istreambuf_iterator<char>(file)), {});
  for (auto& c : command)
    if (c == '\0' || c == '\n') c = ' ';
  std::array<char, 16> since{};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::strftime(since.data(), since.size(), "%H:%M:%S", ::localtime_r(&now, &local));
  return std::to_string(::getpid()) + " (" + std::string(trim(command)).substr(0, 200) + "), since " + since.data();
}

class FileTurns final : public DeviceTurns {
 public:
  explicit FileTurns(TurnsOptions options) : options_(std::move(options)) {}

  Result<std::unique_ptr<Turn>> take() override {
    if (path_.empty()) path_ = options_.folder + "/device-" + content_hash(options_.device()) + ".lock";
    // Whoever wants the turn holds the place behind its holder: who gives it up and wants it again stands behind those
    // who waited.
    auto place = opened(path_ + ".next");
    if (!place) return fail(std::move(place).error());
    auto device = opened(path_);
    if (!device) return fail(std::move(device).error());
    if (::flock(place->get(), LOCK_EX | LOCK_NB) != 0) {
      tell(*device);
      if (auto locked = lock(*place); !locked) return fail(std::move(locked).error());
    }
    if (::flock(device->get(), LOCK_EX | LOCK_NB) != 0) {
      tell(*device);
      if (auto locked = lock(*device); !locked) return fail(std::move(locked).error());
    }
    const auto me = who_i_am();
    if (::ftruncate(device->get(), 0) != 0 || ::pwrite(device->get(), me.data(), me.size(), 0) < 0)
      return fail("E-TURN", path_ + " cannot be written: " + std::strerror(errno));
    return std::make_unique<HeldFile>(std::move(*device));
  }

 private:
  static Result<os::Fd> opened(const std::string& path) {
    os::Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
      return fail("E-TURN", path + " cannot be opened: " + std::strerror(errno),
                  "set XDG_STATE_HOME to a folder that can be written");
    return file;
  }
  Status lock(const os::Fd& file) const {
    while (::flock(file.get(), LOCK_EX) != 0)
      if (errno != EINTR) return fail("E-TURN", path_ + " cannot be locked: " + std::strerror(errno));
    return {};
  }
  void tell(const os::Fd& device) {
    std::array<char, 400> text{};
    const auto got = ::pread(device.get(), text.data(), text.size(), 0);
    std::string holder(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    // Whoever has just got the turn has not yet written over what this process wrote at its last one.
    if (holder.starts_with(std::to_string(::getpid()) + " ")) holder.clear();
    // Runs that take turns would otherwise say it at every turn.
    const auto process = holder.substr(0, holder.find(' '));
    if (!options_.waiting || (process.empty() && !told_.empty()) || !told_.insert(process).second) return;
    options_.waiting("waiting for the device: it is used by process " + (holder.empty() ? "unknown" : holder));
  }

  TurnsOptions options_;
  std::string path_;
  std::set<std::string> told_;  // processes that were named; "" is one whose name is not known yet
};

}  // namespace

std::unique_ptr<DeviceTurns> device_turns(TurnsOptions options) {
  return std::make_unique<FileTurns>(std::move(options));
}

std::string common_folder(const std::string& otherwise) {
  const auto folder = "/tmp/hone-" + std::to_string(::getuid());
  (void)::mkdir(folder.c_str(), 0700);
  struct stat found{};
  const bool mine = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid() &&
                    (found.st_mode & 077U) == 0;
  return mine ? folder : otherwise;
}

}  // namespace hone::store
