#include "source/host/choose.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "core/bindings.hpp"
#include "source/build_files.hpp"
#include "source/host/api/table.hpp"
#include "source/host/includes.hpp"

namespace hone::host {
namespace {

bool names_any(const std::string& text, const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

/// Text of a kernel in a literal: another unit gives it to the compiler.
bool holds_kernel_text(const std::string& text) {
  return text.find('"') != std::string::npos &&
         (has_word(text, "__kernel") || text.find("kernel void") != std::string::npos);
}

Tongue tongue_of(const std::string& path, const std::string& text, const std::set<std::string>& reached,
                 const Files& files) {
  if (path.ends_with(".cu") || path.ends_with(".cuh")) return Tongue::Cuda;
  if (path.ends_with(".hip")) return Tongue::Hip;
  const auto mentions = [&](const char* what) {
    return text.find(what) != std::string::npos || std::ranges::any_of(reached, [&](const std::string& r) {
             return files.contains(r) && files.at(r).find(what) != std::string::npos;
           });
  };
  // nvcc and hipcc take launches in any file, whatever it is called.
  const bool chevrons = text.find("<<<") != std::string::npos && text.find(">>>") != std::string::npos;
  if (path.ends_with(".c") && !chevrons) return Tongue::C;
  if (mentions("hip/hip_runtime.h")) return Tongue::Hip;
  if (chevrons && (mentions("cuda") || mentions("__global__"))) return Tongue::Cuda;
  if (path.ends_with(".c")) return Tongue::C;
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

/// Words that C++17 does not know; a tree that says so nowhere but in its build files has one of them too, or is read
/// well enough without.
bool is_cpp20(const Files& application) {
  static const std::vector<std::string> signs = {
      "<span>",  "<concepts>", "<ranges>", "<format>",   "<bit>",          "<numbers>", "<=>",
      "concept", "requires ",  "std=c++2", "std=gnu++2", "CXX_STANDARD 2", "cxx_std_2"};
  return std::ranges::any_of(application, [&](const auto& file) {
    const auto& path = file.first;
    const bool builds = path.ends_with("akefile") || path.ends_with("CMakeLists.txt") || path.ends_with(".mk") ||
                        path.ends_with("meson.build");
    if (!builds && !is_unit(path) && !is_header(path)) return false;
    for (const auto& sign : signs) {
      const bool word = sign == "concept" || sign == "requires ";
      for (auto at = file.second.find(sign); at != std::string::npos; at = file.second.find(sign, at + 1)) {
        if (!word) return true;
        const auto line = file.second.rfind('\n', at) + 1;
        const auto ahead = trim(std::string_view(file.second).substr(line, at - line));
        if (ahead.empty() ? sign == "requires " : ahead.ends_with(">")) return true;
      }
    }
    return false;
  });
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
    const bool copied = is_opencl_bindings(path, text) || ("/" + path).find("/CL/") != std::string::npos;
    if (copied) continue;  // OpenCL's own header
    const bool launches = names_any(text, launch_words);
    const bool named = !launches && names_any(text, words);
    const bool holds = !launches && !named && is_unit(path) && holds_kernel_text(text);
    if (!launches && !named && !holds) continue;
    if (launches) launching.insert(path);
    const int by = launches ? 100 : named ? 60 : 40;
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
  const bool modern = is_cpp20(application);
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
    const bool says = std::ranges::any_of(request.options, [](const auto& word) { return word.starts_with("-std="); });
    if (request.tongue == Tongue::Cpp && modern && !says) request.options.emplace_back("-std=gnu++20");
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
