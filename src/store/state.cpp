#include "store/state.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "store/trial_store.hpp"

namespace hone::store {
namespace {

namespace fs = std::filesystem;
constexpr auto log_name = "trials.db";

struct StateFile {
  fs::path path;
  std::string group;
  std::uint64_t size = 0;
  fs::file_time_type written;
};

std::string group_of(const fs::path& relative) {
  const auto top = relative.begin()->string();
  if (top.starts_with(log_name)) return "trials";
  if (top.ends_with(".lock")) return "locks";
  if (top == "reports") return "reports";
  if (top == "recordings") return "recordings";
  return "measurements";
}

Result<std::vector<StateFile>> files_in(const std::string& folder) {
  std::vector<StateFile> out;
  std::error_code problem;
  if (!fs::exists(folder, problem)) return out;
  for (fs::recursive_directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
    std::error_code gone;  // another process may remove a file meanwhile
    if (!it->is_regular_file(gone) || it->is_symlink(gone)) continue;
    const auto size = it->file_size(gone);
    const auto written = it->last_write_time(gone);
    if (!gone) out.push_back({it->path(), group_of(fs::relative(it->path(), folder)), size, written});
  }
  if (problem) return fail("E-STATE", folder + ": " + problem.message(), "export XDG_STATE_HOME=DIR");
  std::ranges::sort(out, {}, &StateFile::written);
  return out;
}

/// Files that go by themselves, oldest first. Locks are empty and in use; the log is not removed but emptied.
bool is_loose(const StateFile& file) {
  return file.group == "reports" || file.group == "measurements" || file.group == "recordings";
}

class Cleaner {
 public:
  Cleaner(std::string folder, const CleanWish& wish, std::vector<StateFile> files)
      : folder_(std::move(folder)), wish_(wish), files_(std::move(files)) {
    for (const auto& file : files_) left_ += file.size;
  }

  Result<Cleaned> run() {
    for (const auto& file : files_)
      if (is_loose(file) && goes(file)) remove(file);
    const auto log = std::ranges::find_if(files_, [](const auto& f) { return f.path.filename() == log_name; });
    if (log == files_.end()) return out_;
    // The write-ahead log is written last: its age is the log's.
    auto newest = *log;
    std::uint64_t size = 0;
    for (const auto& file : files_) {
      if (file.group != "trials") continue;
      newest.written = std::max(newest.written, file.written);
      size += file.size;
    }
    if (!goes(newest)) return out_;
    if (!wish_.pretend)
      if (auto done = forget_trials(log->path.string(), wish_.all); !done) return fail(std::move(done).error());
    out_.removed.emplace_back("trials");
    out_.size.count += size;
    return out_;
  }

 private:
  bool goes(const StateFile& file) const {
    if (wish_.all) return true;
    if (wish_.older_than &&
        file.written < fs::file_time_type::clock::now() -
                           std::chrono::duration_cast<fs::file_time_type::duration>(*wish_.older_than))
      return true;
    return wish_.until_below && left_ > wish_.until_below->count;
  }
  void remove(const StateFile& file) {
    std::error_code problem;
    if (!wish_.pretend && !fs::remove(file.path, problem)) return;
    left_ -= file.size;
    out_.removed.push_back(fs::relative(file.path, folder_).string());
    out_.size.count += file.size;
  }

  std::string folder_;
  CleanWish wish_;
  std::vector<StateFile> files_;
  std::uint64_t left_ = 0;
  Cleaned out_;
};

/// A number and one letter of `units`; nothing when it is something else.
std::optional<double> scaled(const std::string& text, const std::map<std::string, double>& units) {
  std::size_t digits = 0;
  double amount = 0;
  try {
    amount = std::stod(text, &digits);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  const auto unit = units.find(text.substr(digits));
  if (unit == units.end() || !(amount >= 0) || amount > 1e15) return std::nullopt;
  return amount * unit->second;
}

}  // namespace

Result<std::vector<StateGroup>> state_in(const std::string& folder) {
  const auto files = files_in(folder);
  if (!files) return fail(files.error());
  std::map<std::string, StateGroup> groups;
  for (const auto& file : *files) {
    auto& group = groups[file.group];
    group.name = file.group;
    ++group.files;
    group.size.count += file.size;
  }
  std::vector<StateGroup> out;
  for (auto& [name, group] : groups) out.push_back(std::move(group));
  return out;
}

Result<Cleaned> clean_state(const std::string& folder, const CleanWish& wish) {
  auto files = files_in(folder);
  if (!files) return fail(std::move(files).error());
  return Cleaner(folder, wish, std::move(*files)).run();
}

Result<Bytes> parse_size(const std::string& text) {
  const auto size = scaled(text, {{"", 1}, {"K", 1024.0}, {"M", 1048576.0}, {"G", 1073741824.0}});
  if (!size) return fail("E-SIZE", "'" + text + "' is not a size", "500M, 2G, 64K or a number of bytes");
  return Bytes{static_cast<std::uint64_t>(*size)};
}

Result<Seconds> parse_age(const std::string& text) {
  const auto age = scaled(text, {{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}});
  if (!age) return fail("E-AGE", "'" + text + "' is not an age", "--older-than 30d, 12h or 45m");
  return Seconds(*age);
}

}  // namespace hone::store
