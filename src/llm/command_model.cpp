#include "llm/command_model.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "os/process.hpp"

namespace hone::llm {

Result<Reply> CommandModel::complete(const Question& question, Seconds timeout) {
  os::Command command;
  command.words = {"/bin/sh", "-c", command_};
  auto finished = os::run(command, question.prompt, timeout, os::largest_output, stop_);
  if (!finished) return fail(std::move(finished).error().context("starting " + command_));
  if (finished->stopped) return stopped();
  if (finished->timed_out)
    return fail("E-MODEL", fmt::format("`{}` gave no reply within {:.0f} s", command_, timeout.count()));
  if (finished->exit.code != 0 || finished->exit.signal != 0) {
    const std::string said(trim(std::string_view(finished->err).substr(0, 400)));
    return fail("E-MODEL",
                fmt::format("`{}` ended with {}{}{}", command_, finished->exit.text(), said.empty() ? "" : ": ", said));
  }
  return Reply{std::move(finished->out), false};
}

const Provider command_provider = {
    "command", "PROG", [](const std::string& command, const Surroundings& surroundings) {
      return Result<std::unique_ptr<LanguageModel>>(std::make_unique<CommandModel>(command, surroundings.stop));
    }};

}  // namespace hone::llm
