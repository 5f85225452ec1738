// hone brief: what a model would be told of a MEP before anything is tried, for agents and people who hold the loop
// themselves. No held-out size is in it.
#include "agents/prompts.hpp"
#include "app/briefing.hpp"
#include "app/commands.hpp"
#include "app/instantiate.hpp"
#include "app/judge_setup.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {

void add_brief(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("brief", "Says what is known of a MEP's kernel and device, as a model is told it");
  auto folder = std::make_shared<std::string>();
  auto device = std::make_shared<DeviceChoice>();
  command->add_option("mep", *folder, "A MEP folder")->required();
  device->add_options(*command);
  choose(command, chosen, [folder, device]() -> Result<Answer> {
    const auto mep = load_mep(*folder);
    if (!mep) return fail(mep.error());
    const auto setup = JudgeSetup::open(*mep, *device, {});
    if (!setup) return fail(setup.error());
    const Instantiator instantiate(*mep);
    RoundContext context;
    context.mep = without_held_out(*mep);
    context.device = (*setup)->device();
    context.briefing = brief(context.mep, instantiate.lifted() ? &*instantiate.lifted() : nullptr, context.device,
                             (*setup)->ceilings(), {});
    Answer answer;
    answer.text = agents::stable_prompt(context, rules::rule_forms());
    answer.data = {{"text", answer.text},
                   {"device", context.briefing.device},
                   {"loops", context.briefing.loops},
                   {"moves", context.briefing.moves}};
    return answer;
  });
}

}  // namespace hone::app
