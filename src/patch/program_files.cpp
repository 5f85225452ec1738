#include "patch/program_files.hpp"

#include <algorithm>
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
    std::vector<std::size_t> by_includes;
    for (std::size_t i = 0; i < index_.files().size(); ++i) by_includes.push_back(leader(i));
    for (const auto& function : index_.functions())
      if (function.local_to_file)
        local_.emplace(number(*function.file), function.name);
      else if (function.name != "main")
        definers_[function.name].insert(number(*function.file));
    for (std::size_t i = 0; i < index_.files().size(); ++i) join_with_definers(i, by_includes);
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

  /// What a program defines in files that include each other it need not get from elsewhere.
  void join_with_definers(std::size_t i, const std::vector<std::size_t>& by_includes) {
    const auto& file = index_.files()[i];
    if (!is_code(file.name)) return;
    for (const auto& [name, files] : definers_) {
      const auto own = [&](std::size_t definer) { return by_includes[definer] == by_includes[i]; };
      if (local_.contains({i, name}) || std::ranges::any_of(files, own) || !uses(file, name)) continue;
      for (const auto definer : files) join(i, definer);
    }
  }

  /// Words of build files and of texts call nothing.
  static bool is_code(std::string_view name) {
    constexpr std::string_view endings[] = {".c", ".C", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".m", ".mm", ".tcc"};
    return is_header(name) || std::ranges::any_of(endings, [&](auto ending) { return name.ends_with(ending); });
  }

  bool uses(const HostFile& file, const std::string& name) const {
    if (!index_.directives(file, name).empty()) return true;
    std::set<const HostFunction*> variable_in;  // null: of the file or of a class
    const auto& places = index_.places(file, name);
    for (const std::size_t at : places)
      if (declares_variable(file, at)) variable_in.insert(index_.around(file, at));
    return std::ranges::any_of(places, [&](std::size_t at) {
      if (follows_a_dot(file, at) || declares_variable(file, at)) return false;
      const auto* around = index_.around(file, at);
      const bool called = file.is(at + 1, "(");
      return !(around != nullptr && variable_in.contains(around)) && (called || !variable_in.contains(nullptr));
    });
  }

  /// `type name;`, `type *name = ...`, and in a function `Wrapper<type> name(...)`: no prototype.
  bool declares_variable(const HostFile& file, std::size_t at) const {
    if (at < 2) return false;
    const bool indirect = file.is(at - 1, "*") || file.is(at - 1, "&");
    const std::size_t type = indirect ? at - 2 : at - 1;
    if (is_one_of(file.at(type), {"return", "else", "case", "goto", "throw", "new", "delete", "sizeof"})) return false;
    const bool of_template = file.is(type, ">") && !file.is(type - 1, "-");
    if (!file.word(type) && !of_template) return false;
    if (file.is(at + 1, "(")) return of_template && index_.around(file, at) != nullptr;
    return is_one_of(file.at(at + 1), {";", "=", ",", "[", ")", "{"});
  }

  const HostIndex& index_;
  std::vector<std::size_t> leader_;
  std::vector<std::set<std::size_t>> includes_;
  std::map<std::string, std::set<std::size_t>, std::less<>> definers_;
  std::set<std::pair<std::size_t, std::string>> local_;
};

}  // namespace

std::map<const HostFile*, std::size_t> programs_of(const HostIndex& index) { return Programs(index).found(); }

}  // namespace hone::patch
