#include "os/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.hpp"
#include "os/fd.hpp"

namespace hone::os {
namespace fs = std::filesystem;

static tl::unexpected<Error> file_error(std::string_view doing, const Path& path, int code) {
  return fail("E-FILE", std::string(doing) + " " + path.string() + ": " + std::strerror(code));
}

Result<std::string> read_text(const Path& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return file_error("reading", path, errno);
  std::string text;
  std::string block(std::size_t{1} << 16U, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("reading", path, errno);
    if (got == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(got));
  }
}

static Status write_all(int fd, std::string_view text, const Path& path) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return file_error("writing", path, errno);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::fsync(fd) != 0) return file_error("writing", path, errno);
  return {};
}

Status write_text(const Path& path, std::string_view text) {
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  std::string beside = path.string() + ".XXXXXX";
  const Fd file(::mkostemp(beside.data(), O_CLOEXEC));
  if (!file) return file_error("writing", path, errno);
  // mkostemp makes files private; what replaces a file keeps its mode, a new file gets the usual one.
  struct stat before{};
  const mode_t mode = ::stat(path.c_str(), &before) == 0 ? before.st_mode & 07777U : 0644U;
  ::fchmod(file.get(), mode);
  auto written = write_all(file.get(), text, path);
  if (written && ::rename(beside.c_str(), path.c_str()) != 0) written = file_error("writing", path, errno);
  if (!written) ::unlink(beside.c_str());
  return written;
}

Result<std::map<std::string, std::string>> read_folder(const Path& folder, std::size_t largest) {
  std::error_code code;
  std::map<std::string, std::string> files;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(folder, options, code); !code && it != fs::end(it);
       it.increment(code)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored) || it->file_size(ignored) > largest) continue;
    auto text = read_text(it->path());
    if (!text) return fail(std::move(text).error());
    files.emplace(fs::relative(it->path(), folder, ignored).generic_string(), std::move(*text));
  }
  if (code) return fail("E-FILE", "listing " + folder.string() + ": " + code.message());
  return files;
}

Status write_folder(const Path& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files) {
    auto written = write_text(folder / name, text);
    if (!written) return written;
  }
  return {};
}

Result<TempFolder> TempFolder::make(std::string_view name) {
  std::error_code code;
  auto base = fs::temp_directory_path(code);
  if (code) base = "/tmp";
  std::string path = (base / (std::string(name) + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) return file_error("making a temporary folder", path, errno);
  return TempFolder(Path(path));
}

TempFolder::TempFolder(TempFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
TempFolder& TempFolder::operator=(TempFolder&& other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::move(other.path_);
    other.path_.clear();
  }
  return *this;
}
TempFolder::~TempFolder() { remove(); }
void TempFolder::remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Path own_program() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code);
}

Path find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    auto candidate = Path(folder) / name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace hone::os
