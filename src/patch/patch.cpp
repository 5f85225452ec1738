#include "patch/patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "patch/diff.hpp"
#include "patch/limits.hpp"

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

}  // namespace

std::vector<std::string> files_of(const Origin& origin) {
  std::set<std::string> names;
  for (const auto& piece : origin.pieces) names.insert(piece.file);
  for (const auto& site : origin.launches) names.insert(site.file);
  for (const auto& stamp : origin.files) names.insert(stamp.file);
  return {names.begin(), names.end()};
}

Result<Patch> make_patch(const Mep& mep, const Variant& winner, const Origin& origin, const Files& files,
                         const PatchLimits& limits) {
  if (auto fresh = unchanged_since_extraction(origin, files); !fresh) return fail(std::move(fresh).error());
  if (auto allowed = allows(limits, winner); !allowed) return fail(std::move(allowed).error());
  auto kernels = splice_kernels(mep.source, winner.source, origin, files);
  if (!kernels) return fail(std::move(kernels).error());
  auto launches = splice_launches(winner.launches, origin, files);
  if (!launches) return fail(std::move(launches).error());

  FileEdits edits = std::move(kernels->edits);
  for (auto& [file, more] : *launches) edits[file].insert(edits[file].end(), more.begin(), more.end());
  Patch patch;
  patch.notes = std::move(kernels->notes);
  for (auto& [file, of_file] : edits) {
    const std::string& before = files.at(file);
    std::string after = apply_edits(before, std::move(of_file));
    if (after == before) continue;
    patch.before[file] = before;
    patch.after[file] = std::move(after);
  }
  patch.diff = unified_diff(patch.before, patch.after);
  return patch;
}

Result<Files> apply_patch(const Patch& patch, Files files) {
  for (const auto& [file, text] : patch.after) {
    auto found = files.find(file);
    if (found == files.end() || found->second != patch.before.at(file))
      return fail("E-STALE", file + " is not what the patch was made from", "hone apply again");
    found->second = text;
  }
  return files;
}

}  // namespace hone::patch
