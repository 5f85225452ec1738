// hone extract: a kernel out of an application, completed into a MEP folder.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/extracting.hpp"
#include "os/files.hpp"

namespace hone::app {

Result<Answer> extract(const CompletionRequest& request, const std::string& output, Console& console) {
  TimeLedger ledger(steady_now);
  const auto completed = complete_application(request, console, ledger);
  if (!completed) return fail(completed.error());
  if (auto done = os::write_folder(output, completed->folder); !done) return fail(std::move(done).error());
  Answer answer;
  answer.text = fmt::format("{}: fidelity {}\n", output, completed->mep.fidelity.values);
  for (const auto& reason : completed->mep.fidelity.reasons) answer.text += "  " + reason + "\n";
  for (const auto& note : completed->notes) answer.text += "  note: " + note + "\n";
  answer.text += fmt::format("  next: hone check {0}, or hone optimize {0}\n", output);
  answer.data = {{"mep", output},
                 {"fidelity", std::string(1, completed->mep.fidelity.values)},
                 {"reasons", completed->mep.fidelity.reasons},
                 {"notes", completed->notes}};
  return answer;
}

void add_extract(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("extract", "Takes a kernel out and completes it into a program that runs alone");
  auto request = std::make_shared<CompletionRequest>();
  auto output = std::make_shared<std::string>();
  command->add_option("dir", request->application, "The application's folder")->required();
  command->add_option("--kernel", request->kernel,
                      "The kernel's name; several with commas; all of one program when absent");
  command->add_option("-o,--output", *output, "The MEP folder to write")->required();
  add_completion_options(*command, *request);
  request->device.add_options(*command);
  add_model_options(*command, request->model);
  choose(command, chosen, [request, output, &chosen]() -> Result<Answer> {
    Console console(chosen.json);
    return extract(*request, *output, console);
  });
}

}  // namespace hone::app
