// hone apply: puts the winner kept in a MEP's best/ back into an application.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/instantiate.hpp"
#include "app/putting_back.hpp"
#include "app/setting.hpp"

namespace hone::app {
namespace {

struct ApplyOptions {
  std::string mep, variant;
  PutBackRequest request;
};

Result<Variant> variant_to_apply(const ApplyOptions& options, const Mep& mep) {
  const auto chosen = load_template(options.variant.empty() ? options.mep + "/best" : options.variant);
  if (!chosen && options.variant.empty()) return fail(Error(chosen.error()).with_next("hone optimize " + options.mep));
  if (!chosen) return fail(chosen.error());
  if (chosen->schedule.empty()) return instantiate_source(*chosen, default_configuration(chosen->space));
  return Instantiator(mep)(*chosen, default_configuration(chosen->space));
}

Result<Answer> apply(const ApplyOptions& options) {
  const auto mep = load_mep(options.mep);
  if (!mep) return fail(mep.error());
  const auto origin = load_origin(options.mep);
  if (!origin) return fail(origin.error());
  const auto winner = variant_to_apply(options, *mep);
  if (!winner) return fail(winner.error());
  auto request = options.request;
  request.judged = options.variant.empty();
  auto put = put_back(*mep, *winner, *origin, request);
  if (!put) return fail(put.error());
  Answer answer;
  const bool valid = !put->validation || put->validation->passed();
  answer.code = valid ? ExitCode::Yes : ExitCode::No;
  if (!put->validation)
    put->patch.notes.push_back("the application itself was not run with the patch; add --validate \"COMMAND\"");
  answer.data = {{"diff", put->patch.diff}, {"written", put->written}, {"notes", put->patch.notes}};
  for (const auto& [kernel, tier] : put->patch.tiers) answer.data["launches"][kernel] = name_of(tier);
  if (put->validation) {
    answer.data["validated"] = put->validation->passed();
    answer.data["outputs"] = {{"before", put->validation->before.output}, {"after", put->validation->after.output}};
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
  command->add_option("--template", options->variant,
                      "A template folder in place of best/; its default configuration is put back");
  command->add_flag("--keep-launch", options->request.keep_launch,
                    "Change the kernel's text alone: it maps the work-items of the launch as it is to the new work");
  command->add_option("--patch", options->request.patch_file, "Where to write the diff");
  command->add_flag("--write", options->request.write, "Change the application's files");
  command->add_option("--validate", options->request.validate,
                      "A shell command that must pass before and after the change");
  choose(command, chosen, [options] { return apply(*options); });
}

}  // namespace hone::app
