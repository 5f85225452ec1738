#include "source/host/near.hpp"

#include <algorithm>

#include "source/host/includes.hpp"

namespace hone::host {
namespace {

/// How near a unit is to the nearest definition; a program that is one file with its kernels is nearest.
std::size_t nearness_of(const std::string& path, const std::string& text, const std::vector<std::string>& files) {
  std::size_t out = 0;
  for (const auto& file : files)
    out = std::max(out, shared_folders(path, file) + (path == file && has_word(text, "main") ? 1 : 0));
  return out;
}

/// Units that name a kernel, themselves or in what they include; of several only the nearest to its definition.
std::set<std::string> naming_units(const Files& application, const Includes& includes, const Wanted& wanted) {
  const auto names = [&](const std::string& path) {
    const auto found = application.find(path);
    return found != application.end() && std::ranges::any_of(wanted.kernels, [&](const std::string& kernel) {
             return has_word(found->second, kernel);
           });
  };
  std::set<std::string> all;
  for (const auto& [path, text] : application) {
    if ((!is_unit(path) && !is_header(path)) || !names(path)) continue;
    for (const auto& includer : includes.reached(path, true)) {
      if (is_unit(includer) && may_launch(includer, wanted.language)) all.insert(includer);
    }
  }
  const auto nearness = [&](const std::string& path) { return nearness_of(path, application.at(path), wanted.files); };
  std::size_t nearest = 0;
  for (const auto& path : all) nearest = std::max(nearest, nearness(path));
  std::erase_if(all, [&](const std::string& path) { return nearness(path) < nearest; });
  return all;
}

/// What they call and nobody of them defines, and a main that calls them: by shared headers or folders, nearest first.
void add_relatives(const Files& application, const Includes& includes, const Wanted& wanted,
                   std::set<std::string>& units) {
  std::set<std::string, std::less<>> called, defined;
  std::set<std::string> near_by, folders;
  for (const auto& unit : units) {
    folders.insert(folder_of(unit));
    for (const auto& file : includes.reached(unit, false)) {
      if (!application.contains(file)) continue;
      called_in(application.at(file), called);
      defined_in(application.at(file), defined);
      if (!is_header(file)) continue;
      for (const auto& includer : includes.reached(file, true)) near_by.insert(includer);
    }
  }
  for (const auto& [path, text] : application) {
    if (folders.contains(folder_of(path))) near_by.insert(path);
  }
  std::vector<std::string> order;
  for (const auto& path : near_by) {
    if (is_unit(path) && !units.contains(path) && may_launch(path, wanted.language)) order.push_back(path);
  }
  std::ranges::stable_sort(order, std::greater{}, [&](const std::string& path) {
    return nearness_of(path, application.at(path), wanted.files);
  });
  for (const auto& path : order) {
    std::set<std::string, std::less<>> calls_here, defined_here;
    called_in(application.at(path), calls_here);
    defined_in(application.at(path), defined_here);
    const auto is_new = [&](const std::string& name) { return called.contains(name) && !defined.contains(name); };
    const bool helps = std::ranges::any_of(defined_here, is_new);
    const bool starts = defined_here.contains("main") && !defined.contains("main") &&
                        std::ranges::any_of(calls_here, [&](const auto& name) { return defined.contains(name); });
    if (!helps && !starts) continue;
    units.insert(path);
    defined.insert(defined_here.begin(), defined_here.end());
  }
}

}  // namespace

bool may_launch(const std::string& file, Language language) {
  const bool cuda = file.ends_with(".cu") || file.ends_with(".cuh");
  const bool hip = file.ends_with(".hip");
  switch (language) {
    case Language::OpenCL: return !cuda && !hip;
    case Language::Cuda: return !hip;
    case Language::Hip: return true;
  }
  return true;
}

std::optional<Files> near(const Files& application, const Wanted& wanted) {
  if (wanted.kernels.empty()) return std::nullopt;
  const Includes includes(application);
  auto units = naming_units(application, includes, wanted);
  if (units.empty()) return std::nullopt;
  for (int level = 0; level < 2; ++level) add_relatives(application, includes, wanted, units);
  Files out;
  for (const auto& [path, text] : application) {
    if (!is_unit(path) || units.contains(path)) out.emplace(path, text);
  }
  // What a unit includes may itself be named like one.
  for (const auto& unit : units) {
    for (const auto& file : includes.reached(unit, false)) {
      if (application.contains(file)) out.emplace(file, application.at(file));
    }
  }
  return out;
}

}  // namespace hone::host
