#include "source/host/choose.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "source/build_files.hpp"
#include "source/host/api/table.hpp"

namespace hone::host {
namespace {

bool ends_in(const std::string& path, std::initializer_list<const char*> endings) {
  return std::ranges::any_of(endings, [&](const char* e) { return path.ends_with(e); });
}
bool is_unit(const std::string& path) { return ends_in(path, {".c", ".cc", ".cpp", ".cxx", ".C", ".cu", ".hip"}); }
bool is_header(const std::string& path) { return ends_in(path, {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc"}); }

std::string folder_of(const std::string& path) {
  const auto cut = path.rfind('/');
  return cut == std::string::npos ? "" : path.substr(0, cut);
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

std::size_t shared_folders(const std::string& a, const std::string& b) {
  const auto same = std::ranges::mismatch(a, b).in1 - a.begin();
  return static_cast<std::size_t>(std::count(a.begin(), a.begin() + same, '/'));
}

/// Who includes what, by files of the application.
class Includes {
 public:
  explicit Includes(const Files& files) {
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
  std::set<std::string> reached(const std::string& path, bool includers) const {
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
  std::vector<std::string> roots(const std::string& path) const {
    std::set<std::string> all;
    for (const auto& file : reached(path, false)) {
      const auto found = roots_.find(file);
      if (found != roots_.end()) all.insert(found->second.begin(), found->second.end());
    }
    std::vector<std::string> out(all.begin(), all.end());
    std::ranges::stable_sort(out, [&](const auto& a, const auto& b) {
      return shared_folders(a + "/", path) > shared_folders(b + "/", path);
    });
    if (out.size() > 24) out.resize(24);
    return out;
  }

 private:
  std::optional<std::string> resolve(const std::string& from, const std::string& name, const Files& files) const {
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
  std::map<std::string, std::vector<std::string>> by_name_;
  std::map<std::string, std::set<std::string>> to_, from_, roots_;
};

bool has_word(const std::string& text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_letter(text[at - 1]) || !is_letter(word[0]);
    const bool ends = at + word.size() >= text.size() || !is_letter(text[at + word.size()]) || !is_letter(word.back());
    if (starts && ends) return true;
  }
  return false;
}

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Every word that stands before a bracket.
void called_in(const std::string& text, std::set<std::string, std::less<>>& out) {
  for (auto at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    auto end = at;
    while (end > 0 && text[end - 1] == ' ') --end;
    auto begin = end;
    while (begin > 0 && is_name_letter(text[begin - 1])) --begin;
    if (end - begin > 2) out.emplace(text, begin, end - begin);
  }
}

/// Whether one of these stands before a bracket in a line that begins at the margin, as definitions do.
bool defines_any(const std::string& text, const std::set<std::string, std::less<>>& names) {
  for (std::size_t line = 0; line < text.size();) {
    const auto end = std::min(text.find('\n', line), text.size());
    const auto bracket = text.find('(', line);
    if (bracket < end && is_name_letter(text[line])) {
      auto last = bracket;
      while (last > line && text[last - 1] == ' ') --last;
      auto first = last;
      while (first > line && is_name_letter(text[first - 1])) --first;
      if (text.find(';', bracket) > text.find('{', bracket) && names.contains(text.substr(first, last - first)))
        return true;
    }
    line = end + 1;
  }
  return false;
}

bool names_any(const std::string& text, const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

Tongue tongue_of(const std::string& path, const std::string& text, const std::set<std::string>& reached,
                 const Files& files) {
  if (path.ends_with(".cu") || path.ends_with(".cuh")) return Tongue::Cuda;
  if (path.ends_with(".hip")) return Tongue::Hip;
  if (path.ends_with(".c")) return Tongue::C;
  const auto mentions = [&](const char* what) {
    return text.find(what) != std::string::npos || std::ranges::any_of(reached, [&](const std::string& r) {
             return files.contains(r) && files.at(r).find(what) != std::string::npos;
           });
  };
  if (mentions("hip/hip_runtime.h")) return Tongue::Hip;
  if (text.find("<<<") != std::string::npos && mentions("cuda_runtime")) return Tongue::Cuda;
  if (path.ends_with(".h")) {
    const bool cpp = text.find("class ") != std::string::npos || text.find("namespace ") != std::string::npos ||
                     text.find("template") != std::string::npos || text.find("std::") != std::string::npos;
    return cpp ? Tongue::Cpp : Tongue::C;
  }
  return Tongue::Cpp;
}

/// -D, -I, -include and -std of a compile_commands.json in the tree.
std::map<std::string, std::vector<std::string>> compile_commands(const Files& files) {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& [path, text] : files) {
    if (!path.ends_with("compile_commands.json")) continue;
    const auto all = nlohmann::json::parse(text, nullptr, false);
    if (!all.is_array()) continue;
    for (const auto& one : all) {
      if (!one.is_object() || !one.contains("file") || !one["file"].is_string()) continue;
      std::vector<std::string> words;
      if (one.contains("arguments") && one["arguments"].is_array()) {
        for (const auto& word : one["arguments"]) {
          if (word.is_string()) words.push_back(word.get<std::string>());
        }
      } else if (one.contains("command") && one["command"].is_string()) {
        std::string word;
        for (const char c : one["command"].get<std::string>() + " ") {
          if (c == ' ') {
            if (!word.empty()) words.push_back(word);
            word.clear();
          } else if (c != '"' && c != '\\') {
            word += c;
          }
        }
      }
      std::vector<std::string> kept;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& word = words[i];
        if ((word == "-D" || word == "-U") && i + 1 < words.size()) {
          kept.push_back(word + words[++i]);
        } else if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-std=")) {
          kept.push_back(word);
        }
      }
      const auto file = one["file"].get<std::string>();
      for (const auto& [known, unused] : files) {
        if (file == known || file.ends_with("/" + known)) out[known] = kept;
      }
    }
  }
  return out;
}

/// -D of the build files in the folders above a file, the nearest first.
std::vector<std::string> options_of(const std::vector<source::BuildDefine>& builds, const std::string& path) {
  std::map<std::string, const source::BuildDefine*> by_name;
  for (const auto& define : builds) {
    if (!define.folder.empty() && !path.starts_with(define.folder + "/")) continue;
    auto& held = by_name[define.name];
    if (held == nullptr || held->folder.size() < define.folder.size()) held = &define;
  }
  std::vector<std::string> out;
  for (const auto& [name, define] : by_name) out.push_back("-D" + name + "=" + define->value);
  return out;
}

/// Code that uses OpenCL and does not say where from: a piece of a program, or headers that a build would add.
std::vector<std::string> header_to_add(const std::string& text, const std::set<std::string>& reached,
                                       const Files& files) {
  static const std::vector<std::string> headers = {"CL/",    "OpenCL/",  "opencl.hpp", "opencl.h",   "cl2.hpp",
                                                   "cl.hpp", "\"cl.h\"", "<cl.h>",     "opencl_ext", "cl_kernel.h"};
  const auto names_one = [&](const std::string& where) {
    return std::ranges::any_of(headers, [&](const std::string& h) { return where.find(h) != std::string::npos; });
  };
  if (names_one(text)) return {};
  for (const auto& file : reached) {
    if (files.contains(file) && names_one(files.at(file))) return {};
  }
  if (text.find("cl::") != std::string::npos) return {"-include", "CL/opencl.hpp"};
  for (const auto* word : {"clCreate", "clEnqueue", "clBuild", "clSetKernelArg"}) {
    if (text.find(word) != std::string::npos) return {"-include", "CL/cl.h"};
  }
  return {};
}

}  // namespace

Chosen choose_units(const Files& application, const std::vector<std::string>& kernels, std::size_t most) {
  Chosen out;
  const Includes includes(application);
  const auto launch_words = api_words(true);
  const auto words = api_words(false);
  std::map<std::string, int> score;
  std::set<std::string> launching;
  const auto raise = [&](const std::string& path, int by) {
    auto& held = score[path];
    held = std::max(held, by);
  };
  for (const auto& [path, text] : application) {
    if (!is_unit(path) && !is_header(path)) continue;
    const auto name = path.substr(path.rfind('/') + 1);
    const bool copied =
        name == "cl.hpp" || name == "cl2.hpp" || name == "opencl.hpp" || ("/" + path).find("/CL/") != std::string::npos;
    if (copied) continue;  // OpenCL's own header
    const bool launches = names_any(text, launch_words);
    const bool named = !launches && names_any(text, words);
    if (!launches && !named) continue;
    if (launches) launching.insert(path);
    const int by = launches ? 100 : 60;
    bool any = is_unit(path);
    if (any) raise(path, by);
    for (const auto& includer : includes.reached(path, true)) {
      if (!is_unit(includer)) continue;
      any = true;
      raise(includer, is_header(path) ? by - 10 : by);
    }
    if (!any) raise(path, by - 30);  // a header nobody includes
  }
  // Who shares a header with those may be who calls them, mains first; what a main calls gives it its sizes.
  for (int level = 0; level < 2; ++level) {
    std::set<std::string> shared;
    std::set<std::string, std::less<>> called;
    for (const auto& [path, by] : score) {
      called_in(application.at(path), called);
      for (const auto& header : includes.reached(path, false)) shared.insert(header);
    }
    for (const auto& header : shared) {
      if (!is_header(header)) continue;
      for (const auto& includer : includes.reached(header, true)) {
        if (!is_unit(includer) || score.contains(includer)) continue;
        const auto& text = application.at(includer);
        const bool has_main = has_word(text, "main");
        if (has_main || defines_any(text, called)) score[includer] = has_main ? 50 : 20 - level;
      }
    }
  }
  for (auto& [path, by] : score) {
    const auto& text = application.at(path);
    if (has_word(text, "main")) by += 8;
    for (const auto& kernel : kernels) by += has_word(text, kernel) ? 40 : 0;
  }
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [path, by] : score) order.emplace_back(-by, path);
  std::ranges::sort(order);
  const auto commands = compile_commands(application);
  const auto builds = source::build_defines(application);
  std::set<std::string> covered;
  for (const auto& [by, path] : order) {
    if (out.units.size() >= most) break;
    UnitRequest request;
    request.file = path;
    const auto reached = includes.reached(path, false);
    covered.insert(reached.begin(), reached.end());
    request.tongue = tongue_of(path, application.at(path), reached, application);
    request.include_folders = includes.roots(path);
    request.reads.assign(reached.begin(), reached.end());
    if (const auto found = commands.find(path); found != commands.end()) {
      request.options = found->second;
    } else {
      request.options = options_of(builds, path);
    }
    if (request.tongue == Tongue::C || request.tongue == Tongue::Cpp) {
      const auto added = header_to_add(application.at(path), reached, application);
      request.options.insert(request.options.end(), added.begin(), added.end());
    }
    out.units.push_back(std::move(request));
  }
  for (const auto& path : launching) {
    if (!covered.contains(path)) out.left_out.push_back(path);
  }
  return out;
}

}  // namespace hone::host
