#include "patch/launch_bounds.hpp"

#include <fmt/format.h>

#include <optional>

#include "patch/chunks.hpp"
#include "patch/tokens.hpp"

namespace hone::patch {
namespace {

constexpr std::int64_t kMostThreads = 1024;

/// Nothing where a size is not a plain number.
std::optional<std::int64_t> threads_of(const LaunchShape& shape) {
  if (shape.local.empty()) return std::nullopt;
  std::int64_t threads = 1;
  for (const auto& size : shape.local) {
    const auto number = size.evaluate_integer([](std::string_view) { return std::optional<Value>(); });
    if (!number || *number < 1 || *number > kMostThreads) return std::nullopt;
    threads *= *number;
  }
  return threads <= kMostThreads ? std::optional(threads) : std::nullopt;
}

/// A taken-out instance of a template defines the parameters around the kernel, and takes them back behind it.
bool is_instance(const Mep& mep) { return mep.source.find("\n#undef ") != std::string::npos; }

/// Where the kernel's name stands in its definition; nothing where bounds are said already or it is a template.
std::optional<std::size_t> place_for_bounds(std::string_view source, const Chunk& kernel) {
  const auto tokens = tokens_of(source);
  std::optional<std::size_t> name;
  for (const auto& token : tokens) {
    if (token.begin < kernel.range.begin || token.begin >= kernel.range.end) continue;
    const auto word = text_of(token, source);
    if (word == "{" || word == ";") break;
    if (word == "__launch_bounds__" || word == "template" || word == "amdgpu_flat_work_group_size") return std::nullopt;
    if (!name && word == kernel.name) name = token.begin;
  }
  return name;
}

}  // namespace

Variant with_launch_bounds(const Mep& mep, Variant variant) {
  if (variant.language != Language::Hip || is_instance(mep)) return variant;
  for (const auto& shape : variant.launches) {
    const auto threads = threads_of(shape);
    if (!threads) continue;
    // From the last to the first, so that places stay what they are: a kernel may be declared before it is defined.
    const auto chunks = chunks_of(variant.source);
    for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
      if (!chunk->kernel || chunk->name != shape.kernel) continue;
      if (const auto place = place_for_bounds(variant.source, *chunk))
        variant.source.insert(*place, fmt::format("__launch_bounds__({}) ", *threads));
    }
  }
  return variant;
}

}  // namespace hone::patch
