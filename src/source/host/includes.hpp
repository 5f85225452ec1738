#pragma once
// The files of an application among themselves, by their text: who includes whom, who calls and who defines what.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/format.hpp"

namespace hone::host {

bool is_unit(const std::string& path);
bool is_header(const std::string& path);
std::string folder_of(const std::string& path);

/// How many folders two paths have in common.
std::size_t shared_folders(const std::string& a, const std::string& b);

bool has_word(const std::string& text, std::string_view word);
/// Every word that stands before a bracket.
void called_in(const std::string& text, std::set<std::string, std::less<>>& out);
/// Every word that stands before a bracket in a line that begins at the margin, as definitions do.
void defined_in(const std::string& text, std::set<std::string, std::less<>>& out);
bool defines_any(const std::string& text, const std::set<std::string, std::less<>>& names);

/// Who includes what, by files of the application.
class Includes {
 public:
  explicit Includes(const Files& files);
  std::set<std::string> reached(const std::string& path, bool includers) const;
  /// Folders that what a file includes is found from, the nearest first.
  std::vector<std::string> roots(const std::string& path) const;

 private:
  std::optional<std::string> resolve(const std::string& from, const std::string& name, const Files& files) const;
  std::map<std::string, std::vector<std::string>> by_name_;
  std::map<std::string, std::set<std::string>> to_, from_, roots_;
};

}  // namespace hone::host
