#include "patch/validate.hpp"

#include <fmt/format.h>

namespace hone::patch {
namespace {

/// The end of what it printed is where the reason is.
std::string tail(const std::string& output) {
  constexpr std::size_t most = 600;
  return output.size() <= most ? output : "..." + output.substr(output.size() - most);
}

std::string ending(const CommandOutcome& outcome) {
  return outcome.timed_out ? "did not end in time" : fmt::format("ended with exit {}", outcome.exit);
}

}  // namespace

Result<Validation> validate(const Patch& patch, const std::string& folder, const std::string& command,
                            Workspace& workspace) {
  auto copy = workspace.copy_tree(folder);
  if (!copy) return fail(std::move(copy).error().context("copying the application"));
  auto before = workspace.run(command, *copy);
  if (!before) return fail(std::move(before).error().context("validating without the patch"));
  if (!before->passed())
    return fail("E-VALIDATE",
                fmt::format("`{}` {} without the patch:\n{}", command, ending(*before), tail(before->output)),
                "make the command pass on the unpatched application first");
  if (auto written = workspace.write(*copy, patch.after); !written)
    return fail(std::move(written).error().context("writing the patch into the copy"));
  auto after = workspace.run(command, *copy);
  if (!after) return fail(std::move(after).error().context("validating with the patch"));
  auto engagement = engagement_of(patch.shipped, before->recording, after->recording);
  return Validation{command, std::move(*before), std::move(*after), std::move(engagement)};
}

}  // namespace hone::patch
