// hone tune: the best configuration of a template, proven against the original.
#include "app/commands.hpp"
#include "app/improve.hpp"
#include "app/outcome_answer.hpp"
#include "app/replay.hpp"

namespace hone::app {
void add_tune(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("tune", "Finds the best configuration of a template");
  auto folder = std::make_shared<std::string>();
  auto options = std::make_shared<ImproveOptions>();
  options->rules = false;
  options->rounds = 1;
  command->add_option("mep", *folder, "A MEP folder");
  auto cache = std::make_shared<std::string>();
  command->add_option("--replay", *cache, "Simulate on measurements in Kernel Tuner's cache format or T4 instead");
  options->add_options(*command);
  choose(command, chosen, [folder, cache, options, &chosen]() -> Result<Answer> {
    if (!cache->empty()) return replay({*cache, options->strategy, options->budget, options->seed});
    if (folder->empty())
      return fail("E-USAGE", "which MEP?", "hone tune X.mep --template DIR, or hone tune --replay CACHE");
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
