#include "app/check_patch.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/disk_workspace.hpp"
#include "base/text.hpp"
#include "patch/changed_kernels.hpp"

namespace hone::app {
namespace {

constexpr Seconds command_limit(3600);

/// "Validated: `make check` passes ..." of the mail that hone wrote.
std::string command_in(const std::string& mail) {
  const std::string before = "\nValidated: `";
  const auto begin = mail.find(before);
  const auto end = begin == std::string::npos ? begin : mail.find("` ", begin + before.size());
  return end == std::string::npos ? "" : mail.substr(begin + before.size(), end - begin - before.size());
}

std::string seen_in_words(const std::vector<patch::RanChanged>& seen) {
  std::vector<std::string> words;
  for (const auto& kernel : seen)
    words.push_back(fmt::format("{} ({} launches{})", kernel.kernel, kernel.launches,
                                kernel.other_sizes ? ", other sizes than before" : ""));
  return join(words, ", ");
}

}  // namespace

Result<Answer> check_patch(const PatchCheck& request) {
  const auto mail = os::read_text(request.patch);
  if (!mail) return fail(mail.error());
  if (request.application.empty()) return fail("E-USAGE", "which application?", "hone check --patch FILE --to DIR");
  DiskWorkspace workspace(command_limit);
  const auto copy = workspace.copy_tree(request.application);
  if (!copy) return fail(copy.error());
  const auto command = request.validate.empty() ? command_in(*mail) : request.validate;
  Answer answer;
  answer.data = {{"patch", request.patch}, {"command", command}, {"applies", false}};
  std::optional<patch::CommandOutcome> before;
  if (!command.empty()) {
    auto ran = workspace.run(command, *copy);
    if (!ran) return fail(std::move(ran).error());
    if (!ran->passed())
      return fail("E-VALIDATE", fmt::format("`{}` fails without the patch:\n{}", command, ran->output));
    before = std::move(*ran);
  }
  const auto file = std::filesystem::absolute(request.patch).string();
  const auto applied = workspace.run("patch -p1 --batch --forward -i '" + replace_all(file, "'", "'\\''") + "'", *copy);
  if (!applied) return fail(applied.error());
  answer.data["applies"] = applied->passed();
  answer.text = fmt::format("{} {} to {} as it is\n{}", request.patch, applied->passed() ? "applies" : "does NOT apply",
                            request.application, applied->output);
  answer.code = applied->passed() ? ExitCode::Yes : ExitCode::No;
  if (!applied->passed() || !before) {
    if (applied->passed()) answer.text += "no command to validate it with\n  next: --validate \"COMMAND\"\n";
    return answer;
  }
  const auto after = workspace.run(command, *copy);
  if (!after) return fail(after.error());
  const auto seen = patch::changed_kernels(before->recording, after->recording);
  answer.code = after->passed() ? ExitCode::Yes : ExitCode::No;
  answer.data["validated"] = after->passed();
  answer.data["engaged"] = !seen.empty();
  answer.data["kernels"] = nlohmann::json::array();
  for (const auto& kernel : seen)
    answer.data["kernels"].push_back(
        {{"kernel", kernel.kernel}, {"launches", kernel.launches}, {"other_sizes", kernel.other_sizes}});
  answer.text += fmt::format("Validated: `{}` {}\n", command,
                             after->passed() ? "passes with and without it" : "FAILS with it:\n" + after->output);
  answer.text += seen.empty() ? "NOT SHOWN that the application runs a kernel that it changes\n"
                              : "Engaged: the application runs the new " + seen_in_words(seen) + "\n";
  return answer;
}

}  // namespace hone::app
