#include "patch/patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "patch/diff.hpp"
#include "patch/kernel_flow.hpp"
#include "patch/launch_adapter.hpp"
#include "patch/limits.hpp"
#include "patch/room.hpp"
#include "patch/shipped_form.hpp"

namespace hone::patch {
namespace {

Status unchanged_since_extraction(const Origin& origin, const Files& files) {
  for (const auto& stamp : origin.files) {
    const auto file = files.find(stamp.file);
    if (file == files.end())
      return fail("E-STALE", stamp.file + " is gone since the kernel was taken out", "hone extract, then run again");
    if (sha256(file->second) != stamp.sha256)
      return fail("E-STALE", stamp.file + " has changed since the kernel was taken out",
                  "hone extract, then run again");
  }
  return {};
}

/// Shapes that are written at the call, and those that go through the adapter.
std::pair<std::vector<LaunchShape>, std::vector<LaunchShape>> by_tier(const std::vector<LaunchShape>& shapes,
                                                                      const PatchLimits& limits) {
  std::pair<std::vector<LaunchShape>, std::vector<LaunchShape>> out;
  for (const auto& shape : shapes) {
    const auto* limit = limits.find(shape.kernel);
    const bool adapter = limit != nullptr && limit->tier == LaunchTier::Adapter && !keeps_geometry(shape);
    (adapter ? out.second : out.first).push_back(shape);
  }
  return out;
}

}  // namespace

std::vector<std::string> files_of(const Origin& origin) {
  std::set<std::string> names;
  for (const auto& piece : origin.pieces) names.insert(piece.file);
  for (const auto& site : origin.launches) names.insert(site.file);
  for (const auto& stamp : origin.files) names.insert(stamp.file);
  return {names.begin(), names.end()};
}

Result<Patch> make_patch(const Mep& mep, const Variant& proposed, const Origin& origin, const Files& files,
                         const PatchLimits& limits, const std::string& remark) {
  if (auto fresh = unchanged_since_extraction(origin, files); !fresh) return fail(std::move(fresh).error());
  const auto form = shipped_form(mep, limits, proposed);  // nothing new where the winner was judged in it
  if (!form) return fail(form.error());
  const Variant& winner = *form;
  if (auto allowed = allows(limits, winner); !allowed) return fail(std::move(allowed).error());
  const auto [in_place, adapted_shapes] = by_tier(winner.launches, limits);
  std::set<std::string> marked;
  for (const auto& shape : adapted_shapes) marked.insert(shape.kernel);
  auto kernels = splice_kernels(mep.source, winner.source, origin, files, marked, remark);
  if (!kernels) return fail(std::move(kernels).error());
  auto launches = splice_launches(in_place, origin, files);
  if (!launches) return fail(std::move(launches).error());
  auto adapted = adapted_shapes.empty() ? Adapted{} : adapt_launches(adapted_shapes, launches_in(files), files);
  if (!adapted) return fail(std::move(adapted).error());

  FileEdits edits = std::move(kernels->edits);
  for (auto* more_edits : {&*launches, &adapted->edits})
    for (auto& [file, more] : *more_edits) edits[file].insert(edits[file].end(), more.begin(), more.end());
  Patch patch;
  patch.after = std::move(adapted->added);
  patch.notes = std::move(kernels->notes);
  patch.shipped = {std::move(kernels->before), std::move(kernels->after), winner.launches};
  std::erase_if(patch.shipped.launches, keeps_geometry);
  for (const auto& [kernel, text] : patch.shipped.after)
    if (text != patch.shipped.before[kernel]) patch.tiers[kernel] = LaunchTier::Kept;
  for (const auto& shape : patch.shipped.launches)
    patch.tiers[shape.kernel] = marked.contains(shape.kernel) ? LaunchTier::Adapter : LaunchTier::Sizes;
  for (auto& [file, of_file] : edits) {
    const std::string& before = files.at(file);
    std::string after = apply_edits(before, std::move(of_file));
    if (after == before) continue;
    patch.before[file] = before;
    patch.after[file] = std::move(after);
  }
  if (auto fit = fits(limits.rooms, patch.after); !fit) return fail(std::move(fit).error());
  patch.diff = unified_diff(patch.before, patch.after);
  return patch;
}

Result<Files> apply_patch(const Patch& patch, Files files) {
  for (const auto& [file, text] : patch.after) {
    const auto found = files.find(file);
    const auto before = patch.before.find(file);
    const bool fresh =
        before == patch.before.end() ? found == files.end() : found != files.end() && found->second == before->second;
    if (!fresh) return fail("E-STALE", file + " is not what the patch was made from", "hone apply again");
    files[file] = text;
  }
  return files;
}

}  // namespace hone::patch
