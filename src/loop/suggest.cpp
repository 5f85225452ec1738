#include "loop/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hone::loop {
namespace {

using affine::Direction;
using affine::MemoryAccess;
using affine::View;

std::string name_of(const MemoryAccess& access) {
  return fmt::format("{}[{}]", access.array, access.index ? access.index->print() : "?");
}

bool is_global(const MemoryAccess& access) {
  return access.space == ir::AddressSpace::Global || access.space == ir::AddressSpace::Constant;
}

/// Neighbouring work-items touch elements far apart.
void add_coalescing(const View& view, std::vector<Suggestion>& out) {
  for (const auto& access : view.accesses) {
    if (!is_global(access) || !access.index) continue;
    const auto step = affine::stride(access, affine::work_item(0));
    if (!step || step->is_zero() || step->constant() == 1) continue;
    out.push_back(
        {SuggestionKind::Coalescing, access.array,
         fmt::format("{} moves by {} elements from one work-item of dimension 0 to the next", name_of(access),
                     step->print()),
         fmt::format("let neighbouring work-items, or the lanes of a vector, touch neighbouring elements of {}",
                     access.array)});
  }
}

/// The same element is loaded by many work-items of one dimension.
void add_locality(const View& view, std::vector<Suggestion>& out) {
  for (const auto& access : view.accesses) {
    if (!is_global(access) || access.direction != Direction::Read || !access.index || access.loops.empty()) continue;
    for (int d = 0; d < view.dimensions; ++d) {
      const auto step = affine::stride(access, affine::work_item(d));
      if (!step || !step->is_zero()) continue;
      out.push_back(
          {SuggestionKind::Locality, access.array,
           fmt::format("{} does not depend on work-item dimension {}: all of them load it again", name_of(access), d),
           fmt::format("let one work-item do several of dimension {} so that each load of {} is used more than once", d,
                       access.array)});
    }
  }
}

/// A global element is updated in every iteration of a loop.
void add_traffic(const View& view, std::vector<Suggestion>& out) {
  for (const auto& access : view.accesses) {
    if (!is_global(access) || access.direction == Direction::Read || !access.index || access.loops.empty()) continue;
    const auto& loop = view.loops[static_cast<std::size_t>(access.loops.back())];
    if (loop.symbol.empty() || access.index->mentions(loop.symbol)) continue;
    out.push_back({SuggestionKind::Traffic, access.array,
                   fmt::format("{} is stored in every iteration of the loop over {}", name_of(access), loop.variable),
                   fmt::format("keep {} in a register and store it once after the loop", access.array)});
  }
}

void add_balance(const Profile& profile, double ceiling, std::vector<Suggestion>& out) {
  const auto found = profile.numbers.find("compulsory_gbytes_per_s");
  if (found == profile.numbers.end() || ceiling <= 0) return;
  const double share = found->second / ceiling;
  const auto evidence =
      fmt::format("the data, moved once, makes {:.2f} GB/s of {:.1f} GB/s possible", found->second, ceiling);
  if (share > 0.95) return;  // more than that cannot be had
  if (share > 0.6)
    out.push_back({SuggestionKind::Balance, "whole kernel", evidence,
                   "memory is the limit: wide loads and stores, fewer passes over the data"});
  else if (share < 0.1)
    out.push_back({SuggestionKind::Balance, "whole kernel", evidence,
                   "far from the limit of memory: more arithmetic per load and independent operations in flight"});
}

void add_parallelism(const Profile& profile, const DeviceInfo& device, std::vector<Suggestion>& out) {
  const auto items = profile.numbers.find("work_items");
  const auto units = device.facts.find("compute_units");
  if (items == profile.numbers.end() || units == device.facts.end()) return;
  const auto* count = std::get_if<std::int64_t>(&units->second);
  if (count == nullptr || items->second >= 4.0 * static_cast<double>(*count)) return;
  out.push_back({SuggestionKind::Parallelism, "launch",
                 fmt::format("{:.0f} work-items for {} compute units", items->second, *count),
                 "split the work into more independent work-items"});
}

}  // namespace

std::vector<Suggestion> suggest(const View& view, const Profile& profile, const DeviceInfo& device, double ceiling) {
  std::vector<Suggestion> out;
  add_locality(view, out);
  add_traffic(view, out);
  add_coalescing(view, out);
  add_balance(profile, ceiling, out);
  add_parallelism(profile, device, out);
  return out;
}

std::vector<std::string> access_patterns(const View& view) {
  std::vector<std::string> out;
  for (const auto& access : view.accesses) {
    if (!is_global(access) || !access.index) continue;
    std::string line = name_of(access);
    for (int d = 0; d < view.dimensions; ++d)
      if (const auto step = affine::stride(access, affine::work_item(d)))
        line += fmt::format("{} moves by {} with work-item {}", d == 0 ? "" : ",", step->print(), d);
    for (const int loop : access.loops) {
      const auto& l = view.loops[static_cast<std::size_t>(loop)];
      if (const auto step = affine::stride(access, l.symbol))
        line += fmt::format(", by {} with {}", step->print(), l.variable);
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace hone::loop
