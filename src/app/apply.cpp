// hone apply: puts the winner kept in a MEP's best/ back into an application.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/putting_back.hpp"
#include "app/setting.hpp"

namespace hone::app {
namespace {

struct ApplyOptions {
  std::string mep;
  PutBackRequest request;
};

Result<Answer> apply(const ApplyOptions& options) {
  const auto mep = load_mep(options.mep);
  if (!mep) return fail(mep.error());
  const auto origin = load_origin(options.mep);
  if (!origin) return fail(origin.error());
  const auto best = load_template(options.mep + "/best");
  if (!best) return fail(Error(best.error()).with_next("hone optimize " + options.mep));
  const auto winner = instantiate_source(*best, default_configuration(best->space));
  if (!winner) return fail(winner.error());
  auto put = put_back(*mep, *winner, *origin, options.request);
  if (!put) return fail(put.error());
  Answer answer;
  const bool valid = !put->validation || put->validation->passed();
  answer.code = valid ? ExitCode::Yes : ExitCode::No;
  if (!put->validation)
    put->patch.notes.push_back("the application itself was not run with the patch; add --validate \"COMMAND\"");
  answer.data = {{"diff", put->patch.diff}, {"written", put->written}, {"notes", put->patch.notes}};
  if (put->validation) {
    answer.data["validated"] = put->validation->passed();
    answer.data["engaged"] = put->validation->engagement.shown;
    answer.data["engagement"] = put->validation->engagement.words;
    put->patch.notes.push_back((put->validation->engagement.shown ? "engaged: " : "NOT SHOWN that it was run: ") +
                               put->validation->engagement.words);
  }
  answer.text = put->patch.diff;
  for (const auto& note : put->patch.notes) answer.text += "note: " + note + "\n";
  if (put->written)
    answer.text += "written to " + options.request.application + "\n";
  else if (!valid)
    answer.text +=
        "the validation command failed with the patch: nothing was written\n" + put->validation->after.output;
  else
    answer.text += "nothing was written\n  next: hone apply " + options.mep + " --to " + options.request.application +
                   " --write\n";
  return answer;
}

}  // namespace

void add_apply(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("apply", "Puts a winner back into an application");
  auto options = std::make_shared<ApplyOptions>();
  command->add_option("mep", options->mep, "A MEP folder with a winner in best/")->required();
  command->add_option("--to", options->request.application, "The application's folder")->required();
  command->add_option("--patch", options->request.patch_file, "Where to write the diff");
  command->add_flag("--write", options->request.write, "Change the application's files");
  command->add_option("--validate", options->request.validate,
                      "A shell command that must pass before and after the change");
  choose(command, chosen, [options] { return apply(*options); });
}

}  // namespace hone::app
