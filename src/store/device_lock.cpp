#include "store/device_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/hash.hpp"

namespace hone::store {
namespace {

class HeldFile final : public Turn {
 public:
  explicit HeldFile(int descriptor) : descriptor_(descriptor) {}
  HeldFile(const HeldFile&) = delete;
  HeldFile& operator=(const HeldFile&) = delete;
  ~HeldFile() override { close(descriptor_); }

 private:
  int descriptor_;
};

class FileTurns final : public DeviceTurns {
 public:
  explicit FileTurns(std::string path) : path_(std::move(path)) {}

  Result<std::unique_ptr<Turn>> take() override {
    const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      return fail("E-TURN", path_ + " cannot be opened: " + std::strerror(errno),
                  "set XDG_STATE_HOME to a folder that can be written");
    }
    auto held = std::make_unique<HeldFile>(descriptor);
    while (flock(descriptor, LOCK_EX) != 0) {
      if (errno != EINTR) return fail("E-TURN", path_ + " cannot be locked: " + std::strerror(errno));
    }
    return held;
  }

 private:
  std::string path_;
};

}  // namespace

std::unique_ptr<DeviceTurns> device_turns(const std::string& folder, const std::string& device) {
  return std::make_unique<FileTurns>(folder + "/device-" + content_hash(device) + ".lock");
}

}  // namespace hone::store
