// hone tune: the best configuration of a template, proven against the original.
#include "app/commands.hpp"
#include "app/improve.hpp"
#include "app/outcome_answer.hpp"

namespace hone::app {
void add_tune(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("tune", "Finds the best configuration of a template");
  auto folder = std::make_shared<std::string>();
  auto options = std::make_shared<ImproveOptions>();
  options->rules = false;
  options->rounds = 1;
  command->add_option("mep", *folder, "A MEP folder")->required();
  options->add_options(*command);
  choose(command, chosen, [folder, options, &chosen]() -> Result<Answer> {
    const auto mep = load_mep(*folder);
    if (!mep) return fail(mep.error());
    if (options->templates.empty())
      return fail("E-TEMPLATE", "which template?", "hone tune " + *folder + " --template DIR");
    Console console(chosen.json);
    const auto improved = improve_mep(*mep, *options, console);
    if (!improved) return fail(improved.error());
    return answer_of(run_of(*mep, *improved), *improved);
  });
}

}  // namespace hone::app
