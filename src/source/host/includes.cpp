#include "source/host/includes.hpp"

#include <algorithm>

namespace hone::host {
namespace {

bool ends_in(const std::string& path, std::initializer_list<const char*> endings) {
  return std::ranges::any_of(endings, [&](const char* e) { return path.ends_with(e); });
}
/// a/b/../c -> a/c
std::string normal(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from <= path.size()) {
    const auto cut = std::min(path.find('/', from), path.size());
    const auto part = path.substr(from, cut - from);
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    from = cut + 1;
  }
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : "/") + part;
  return out;
}

std::vector<std::string> included_by(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    auto i = text.find_first_not_of(" \t", at + 1);
    if (i == std::string::npos || text.compare(i, 7, "include") != 0) continue;
    i = text.find_first_of("<\"\n", i);
    if (i == std::string::npos || text[i] == '\n') continue;
    const auto end = text.find_first_of(">\"\n", i + 1);
    if (end != std::string::npos && text[end] != '\n') out.push_back(text.substr(i + 1, end - i - 1));
  }
  return out;
}

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

bool is_unit(const std::string& path) { return ends_in(path, {".c", ".cc", ".cpp", ".cxx", ".C", ".cu", ".hip"}); }
bool is_header(const std::string& path) { return ends_in(path, {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc"}); }

std::string folder_of(const std::string& path) {
  const auto cut = path.rfind('/');
  return cut == std::string::npos ? "" : path.substr(0, cut);
}

std::size_t shared_folders(const std::string& a, const std::string& b) {
  const auto same = std::ranges::mismatch(a, b).in1 - a.begin();
  return static_cast<std::size_t>(std::count(a.begin(), a.begin() + same, '/'));
}

bool has_word(const std::string& text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_letter(text[at - 1]) || !is_letter(word[0]);
    const bool ends = at + word.size() >= text.size() || !is_letter(text[at + word.size()]) || !is_letter(word.back());
    if (starts && ends) return true;
  }
  return false;
}

void called_in(const std::string& text, std::set<std::string, std::less<>>& out) {
  for (auto at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    auto end = at;
    while (end > 0 && text[end - 1] == ' ') --end;
    auto begin = end;
    while (begin > 0 && is_name_letter(text[begin - 1])) --begin;
    if (end - begin > 2) out.emplace(text, begin, end - begin);
  }
}

void defined_in(const std::string& text, std::set<std::string, std::less<>>& out) {
  for (std::size_t line = 0; line < text.size();) {
    const auto end = std::min(text.find('\n', line), text.size());
    const auto bracket = text.find('(', line);
    if (bracket < end && is_name_letter(text[line])) {
      auto last = bracket;
      while (last > line && text[last - 1] == ' ') --last;
      auto first = last;
      while (first > line && is_name_letter(text[first - 1])) --first;
      if (first < last && text.find(';', bracket) > text.find('{', bracket)) out.emplace(text, first, last - first);
    }
    line = end + 1;
  }
}

bool defines_any(const std::string& text, const std::set<std::string, std::less<>>& names) {
  std::set<std::string, std::less<>> defined;
  defined_in(text, defined);
  return std::ranges::any_of(defined, [&](const std::string& name) { return names.contains(name); });
}

Includes::Includes(const Files& files) {
  for (const auto& [path, text] : files) {
    const auto cut = path.rfind('/');
    by_name_[cut == std::string::npos ? path : path.substr(cut + 1)].push_back(path);
  }
  for (const auto& [path, text] : files) {
    if (!is_unit(path) && !is_header(path)) continue;
    for (const auto& name : included_by(text)) {
      if (const auto found = resolve(path, name, files)) {
        to_[path].insert(*found);
        from_[*found].insert(path);
        const auto suffix = normal(name);
        if (found->size() > suffix.size() && found->ends_with("/" + suffix))
          roots_[path].insert(found->substr(0, found->size() - suffix.size() - 1));
        else if (*found == suffix)
          roots_[path].insert("");
      }
    }
  }
}

std::set<std::string> Includes::reached(const std::string& path, bool includers) const {
  std::set<std::string> out = {path};
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    const auto& edges = includers ? from_ : to_;
    const auto found = edges.find(at);
    if (found == edges.end()) continue;
    for (const auto& next : found->second) {
      if (out.insert(next).second) open.push_back(next);
    }
  }
  return out;
}

std::vector<std::string> Includes::roots(const std::string& path) const {
  std::set<std::string> all;
  for (const auto& file : reached(path, false)) {
    const auto found = roots_.find(file);
    if (found != roots_.end()) all.insert(found->second.begin(), found->second.end());
  }
  std::vector<std::string> out(all.begin(), all.end());
  std::ranges::stable_sort(
      out, [&](const auto& a, const auto& b) { return shared_folders(a + "/", path) > shared_folders(b + "/", path); });
  if (out.size() > 24) out.resize(24);
  return out;
}

std::optional<std::string> Includes::resolve(const std::string& from, const std::string& name,
                                             const Files& files) const {
  const auto beside = normal(folder_of(from) + "/" + name);
  if (files.contains(beside)) return beside;
  const auto suffix = normal(name);
  const auto cut = suffix.rfind('/');
  const auto found = by_name_.find(cut == std::string::npos ? suffix : suffix.substr(cut + 1));
  if (found == by_name_.end()) return std::nullopt;
  std::optional<std::string> best;
  std::size_t score = 0;
  for (const auto& path : found->second) {
    if (path != suffix && !path.ends_with("/" + suffix)) continue;
    const auto near = shared_folders(path, from) + 1;
    if (near > score) {
      score = near;
      best = path;
    }
  }
  return best;
}

}  // namespace hone::host
