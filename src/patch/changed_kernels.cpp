#include "patch/changed_kernels.hpp"

#include <set>
#include <tuple>

#include "patch/chunks.hpp"

namespace hone::patch {
namespace {

using LaunchedSizes = std::tuple<std::vector<std::size_t>, std::vector<std::size_t>>;
struct LaunchedKernel {
  std::set<std::string> definitions;  // their tokens
  std::set<LaunchedSizes> sizes;
  std::size_t launches = 0;
};

std::map<std::string, LaunchedKernel> launched_in(const Recording& recording) {
  std::map<std::string, std::map<std::string, std::string>> definitions;  // by program, then by kernel
  for (const auto& [program, text] : recording.sources)
    for (const auto& chunk : chunks_of(text))
      if (chunk.kernel) definitions[program][chunk.name] = essence(text, chunk.range);
  std::map<std::string, LaunchedKernel> out;
  for (const auto& launch : recording.launches) {
    auto& kernel = out[launch.kernel];
    ++kernel.launches;
    kernel.sizes.insert({launch.global, launch.local});
    const auto program = definitions.find(launch.source);
    if (program == definitions.end()) continue;
    if (const auto found = program->second.find(launch.kernel); found != program->second.end())
      kernel.definitions.insert(found->second);
  }
  return out;
}

}  // namespace

std::vector<RanChanged> changed_kernels(const Recording& before, const Recording& after) {
  std::vector<RanChanged> out;
  const auto old = launched_in(before);
  for (const auto& [name, now] : launched_in(after)) {
    const auto then = old.find(name);
    if (then == old.end() || now.definitions == then->second.definitions) continue;
    out.push_back({name, now.launches, now.sizes != then->second.sizes});
  }
  return out;
}

}  // namespace hone::patch
