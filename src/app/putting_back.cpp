#include "app/putting_back.hpp"

#include "app/disk_workspace.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

constexpr Seconds validation_limit(3600);

Result<Files> read_files(const std::string& folder, const std::vector<std::string>& names) {
  Files out;
  for (const auto& name : names) {
    auto text = os::read_text(os::Path(folder) / name);
    if (!text) return fail("E-STALE", name + " is no longer in " + folder, "hone extract again");
    out[name] = std::move(*text);
  }
  return out;
}

}  // namespace

Result<std::function<Status(const Variant&)>> can_put_back(const Mep& mep, const Origin& origin,
                                                           const std::string& application) {
  auto files = read_files(application, patch::files_of(origin));
  if (!files) return fail(std::move(files).error());
  return [&mep, &origin, files = std::move(*files)](const Variant& variant) -> Status {
    auto made = patch::make_patch(mep, variant, origin, files);
    if (!made) return fail(std::move(made).error());
    return {};
  };
}

Result<PutBack> put_back(const Mep& mep, const Variant& winner, const Origin& origin, const PutBackRequest& request) {
  const auto files = read_files(request.application, patch::files_of(origin));
  if (!files) return fail(files.error());
  auto made = patch::make_patch(mep, winner, origin, *files);
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
