#include "patch/program_files.hpp"

#include <numeric>
#include <optional>

#include "base/text.hpp"
#include "patch/host_scopes.hpp"

namespace hone::patch {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// The file that a directive includes; nothing when it includes none.
std::optional<std::string> included_by(std::string_view directive) {
  const auto line = directive.substr(1);
  const auto include = line.find("include");
  if (include == std::string_view::npos) return std::nullopt;
  const auto open = line.find_first_of("\"<", include);
  const auto close = line.find_first_of("\">", open == std::string_view::npos ? open : open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return std::string(last_part(line.substr(open + 1, close - open - 1)));
}

class Programs {
 public:
  explicit Programs(const HostIndex& index) : index_(index), leader_(index.files().size()) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
  }

  std::map<const HostFile*, std::size_t> found() {
    read_includes();
    for (std::size_t i = 0; i < index_.files().size(); ++i)
      for (const auto included : includes_[i]) join(i, included);
    for (const auto& function : index_.functions())
      if (!function.local_to_file && function.name != "main") definers_[function.name].insert(number(*function.file));
    for (std::size_t i = 0; i < index_.files().size(); ++i) join_with_definers(i);
    std::map<const HostFile*, std::size_t> out;
    for (std::size_t i = 0; i < index_.files().size(); ++i) out[&index_.files()[i]] = leader(i);
    return out;
  }

 private:
  std::size_t number(const HostFile& file) const { return static_cast<std::size_t>(&file - index_.files().data()); }

  std::size_t leader(std::size_t i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { leader_[leader(a)] = leader(b); }

  /// By the last part of a name alone: which of several `common.h` is meant depends on how it is built.
  void read_includes() {
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_name;
    for (const auto& file : index_.files()) by_name[std::string(last_part(file.name))].push_back(number(file));
    includes_.resize(index_.files().size());
    for (const auto& file : index_.files())
      for (std::size_t t = 0; t < file.tokens.size(); ++t) {
        if (file.tokens[t].kind != Token::Kind::Directive) continue;
        const auto name = included_by(file.at(t));
        const auto found = name ? by_name.find(*name) : by_name.end();
        if (found != by_name.end()) includes_[number(file)].insert(found->second.begin(), found->second.end());
      }
  }

  std::set<std::size_t> seen_from(std::size_t file) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> open = {file};
    while (!open.empty()) {
      const auto next = open.back();
      open.pop_back();
      if (!seen.insert(next).second) continue;
      open.insert(open.end(), includes_[next].begin(), includes_[next].end());
    }
    return seen;
  }

  /// What a file defines itself, or what it includes does, it need not get from elsewhere. A member's class is
  /// included.
  void join_with_definers(std::size_t i) {
    const auto& file = index_.files()[i];
    const auto seen = seen_from(i);
    std::set<std::string> own;
    for (const auto& function : index_.functions())
      if (seen.contains(number(*function.file))) own.insert(function.name);
    for (const auto& [name, files] : definers_) {
      if (own.contains(name) || !uses(file, name)) continue;
      for (const auto definer : files) join(i, definer);
    }
  }

  bool uses(const HostFile& file, const std::string& name) const {
    if (!index_.directives(file, name).empty()) return true;
    for (const std::size_t at : index_.places(file, name))
      if (!follows_a_dot(file, at)) return true;
    return false;
  }

  const HostIndex& index_;
  std::vector<std::size_t> leader_;
  std::vector<std::set<std::size_t>> includes_;
  std::map<std::string, std::set<std::size_t>, std::less<>> definers_;
};

}  // namespace

std::map<const HostFile*, std::size_t> programs_of(const HostIndex& index) { return Programs(index).found(); }

}  // namespace hone::patch
