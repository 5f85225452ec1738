#include "app/putting_back.hpp"

#include <fmt/format.h>

#include "app/application.hpp"
#include "app/disk_workspace.hpp"
#include "base/text.hpp"
#include "core/workload_sizes.hpp"
#include "os/files.hpp"
#include "patch/limits.hpp"

namespace hone::app {
namespace {

constexpr Seconds validation_limit(3600);

/// The whole tree, and of the kernel's own files also those that are not read as source.
Result<Files> read_tree(const Origin& origin, const std::string& folder) {
  auto files = read_application(folder);
  if (!files) return files;
  for (const auto& name : patch::files_of(origin)) {
    if (files->contains(name)) continue;
    auto text = os::read_text(os::Path(folder) / name);
    if (!text) return fail("E-STALE", name + " is no longer in " + folder, "hone extract again");
    (*files)[name] = std::move(*text);
  }
  return files;
}

Result<PatchLimits> limits_in(const Mep& mep, const Origin& origin, const Files& tree, bool keep_launch) {
  auto limits = patch::limits_of(mep, origin, tree);
  if (limits && keep_launch) return limits->with_launches_kept("--keep-launch asks for it");
  return limits;
}

/// What a reader of the code should know of where it was tried.
std::string remark_on(const Mep& mep) {
  const auto sizes = sizes_in_words(mep);
  return sizes.empty() ? "" : "Rewritten by Hone; gave the original's results with " + join(sizes, ", ") + ".";
}

}  // namespace

Result<PatchLimits> patch_limits(const Mep& mep, const Origin& origin, const std::string& application,
                                 bool keep_launch) {
  const auto tree = read_tree(origin, application);
  if (!tree) return fail(tree.error());
  return limits_in(mep, origin, *tree, keep_launch);
}

std::vector<std::string> in_words(const PatchLimits& limits) {
  std::vector<std::string> out;
  for (const auto& limit : limits.kernels)
    if (limit.tier == LaunchTier::Kept)
      out.push_back(fmt::format("the launch of {} stays as it is: {}{}", limit.kernel,
                                limit.place.empty() ? "" : limit.place + ": ", limit.reason));
  return out;
}

Result<PutBack> put_back(const Mep& mep, const Variant& winner, const Origin& origin, const PutBackRequest& request) {
  const auto files = read_tree(origin, request.application);
  if (!files) return fail(files.error());
  const auto limits = limits_in(mep, origin, *files, request.keep_launch);  // of the tree as it is now, not as it was
  if (!limits) return fail(limits.error());
  auto made = patch::make_patch(mep, winner, origin, *files, *limits, request.judged ? remark_on(mep) : "");
  if (!made) return fail(std::move(made).error());
  PutBack out;
  out.patch = std::move(*made);
  if (!request.patch_file.empty())
    if (auto done = os::write_text(request.patch_file, out.patch.diff); !done) return fail(std::move(done).error());
  if (!request.validate.empty()) {
    DiskWorkspace workspace(validation_limit);
    auto validation = patch::validate(out.patch, request.application, request.validate, workspace);
    if (!validation) return fail(std::move(validation).error());
    out.validation = std::move(*validation);
  }
  const bool valid = !out.validation || out.validation->passed();
  if (request.write && valid) {
    if (auto done = os::write_folder(request.application, out.patch.after); !done) return fail(std::move(done).error());
    out.written = true;
  }
  return out;
}

}  // namespace hone::app
