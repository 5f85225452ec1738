#include "app/check_command.hpp"

#include "base/text.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace hone::app {
namespace {

constexpr Milliseconds kLimit{60'000};
constexpr std::size_t kWords = 200;  // of its answer, in a verdict

Status put(const os::Path& folder, const judge::OwnCheck::Outputs& outputs) {
  for (const auto& [name, bytes] : outputs)
    if (auto done = os::write_text(folder / name, std::string(bytes.begin(), bytes.end())); !done) return done;
  return {};
}

}  // namespace

Result<std::optional<std::string>> CheckCommand::refusal(const Outputs& expected, const Outputs& got,
                                                         const std::map<std::string, Value>& scalars) {
  const auto folder = os::TempFolder::make("hone-check");
  if (!folder) return fail(folder.error());
  std::string sizes;
  for (const auto& [name, value] : scalars) sizes += name + "=" + print(value) + "\n";
  for (const auto& done : {put(folder->path() / "expected", expected), put(folder->path() / "got", got),
                           os::write_text(folder->path() / "scalars", sizes)})
    if (!done) return fail(done.error());
  os::Command shell;
  shell.words = {"/bin/sh", "-c", command_ + " \"$0\" 2>&1", folder->path().string()};
  const auto finished = os::run(shell, "", kLimit);
  if (!finished) return fail(Error(finished.error()).context("the check command"));
  if (finished->timed_out) return fail("E-CHECK", "the check command did not end within a minute: " + command_);
  if (finished->exit.code == 0 && finished->exit.signal == 0) return std::optional<std::string>();
  const std::string said(trim(finished->out).substr(0, kWords));
  return std::optional("the check command says " + finished->exit.text() + (said.empty() ? "" : ": " + said));
}

}  // namespace hone::app
