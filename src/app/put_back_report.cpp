#include "app/put_back_report.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "core/workload_sizes.hpp"

namespace hone::app {
namespace {

report::ValidationLine validation_line(const patch::Validation& validation) {
  const auto& engagement = validation.engagement;
  return {validation.command, validation.passed(), engagement.shown, engagement.words, engagement.launches};
}

}  // namespace

void put_into(report::Run& run, const PutBack& put, const PutBackWords& words) {
  run.diff = put.patch.diff;
  run.patch_file = words.patch_file;
  for (const auto& [kernel, tier] : put.patch.tiers) run.launch_tiers[kernel] = name_of(tier);
  run.notes.insert(run.notes.end(), put.patch.notes.begin(), put.patch.notes.end());
  if (put.validation) run.validation = validation_line(*put.validation);
  if (put.validation && !put.validation->passed())
    run.notes.push_back("output of the validation: " + put.validation->after.output);
  if (put.written) run.notes.push_back("written to " + words.application);
  if (!put.validation)
    run.notes.push_back(
        fmt::format("the application itself was not run with the patch; to do that: hone optimize {}{} "
                    "--validate \"COMMAND\", with a command that builds and tests it",
                    words.application, words.kernel.empty() ? "" : " --kernel " + words.kernel));
}

std::vector<std::string> doubts_about(const Mep& mep, const std::string& check_command) {
  std::vector<std::string> out;
  const auto copies = copies_of_tune(mep);
  if (!copies.empty())
    out.push_back(fmt::format("no other size than tune was tried: {} {} its sizes, the contract allows no others",
                              join(copies, " and "), copies.size() == 1 ? "has" : "have"));
  if (mep.check.tolerance)
    out.push_back(
        fmt::format("outputs were allowed to differ by {:g} of their size, as --tolerance says", *mep.check.tolerance));
  if (!check_command.empty()) out.push_back("outputs were judged by --check-command: " + check_command);
  return out;
}

}  // namespace hone::app
